/**
 * Corrects the words of a query by those of the newest pages.
 *
 * @module
 */
import { dividedCompound } from "../../search/text/compounds.ts";
import { segmentsOf } from "../../search/text/parts.ts";
import type { Phrase } from "../../search/text/query.ts";
import {
  corrected,
  countWords,
  isCorrectable,
  type WordCounts,
} from "../../search/words/corrections.ts";
import { inflected, isGerman } from "../../search/words/forms.ts";
import { createRest } from "../../shared/yield_to_event_loop.ts";
import type { SearchWithin, WordIndex, WordMatch } from "../../store/port.ts";

/** Parts, newest first, whose words corrections are taken from. */
const KNOWN_PARTS = 1_000;

type Index = Pick<WordIndex, "findWords" | "wordStatistics">;

interface SpeltSearch {
  readonly phrases: readonly Phrase[];
  readonly scope: SearchWithin;
  /** The language of the pages, if the query does not show its own. */
  readonly language: string | undefined;
}

/** Returns the phrases with corrected words; undefined if no word is misspelt. */
export async function correctedPhrases(
  store: Index,
  workspace: string,
  { phrases, scope, language }: SpeltSearch,
): Promise<Phrase[] | undefined> {
  if (!phrases.some(isCorrectable)) return undefined;
  const { counts } = await store.wordStatistics(workspace, phrases);
  if (phrases.every((phrase, index) => !isCorrectable(phrase) || (counts[index] ?? 0) > 0)) {
    return undefined;
  }
  const words = await knownWords(store, workspace, scope);
  await createRest()();
  const forms = inflected(phrases, language);
  return corrected(phrases, {
    words,
    isKnown: (_, index) => (counts[index] ?? 0) > 0 || hasForm(words, forms[index]),
    ...(isGerman(phrases, language) && {
      divide: (word: string) => dividedCompound(word, (one) => hasGerman(words, one)),
    }),
  });
}

function hasGerman(words: WordCounts, word: string): boolean {
  const [form] = inflected([{ terms: [word], isPrefix: false }], "de");
  return words.has(word) || hasForm(words, form);
}

function hasForm(words: WordCounts, form: Phrase | undefined): boolean {
  const [start = ""] = form?.terms ?? [];
  return form?.accepts !== undefined &&
    words.keys().some((word) => word.startsWith(start) && form.accepts?.(word) === true);
}

async function knownWords(
  store: Index,
  workspace: string,
  scope: SearchWithin,
): Promise<WordCounts> {
  const { matches } = await store.findWords(workspace, {
    phrases: [],
    match: "all",
    scope: { ...scope, kind: scope.kind ?? "page" },
    limit: KNOWN_PARTS,
  });
  const rest = createRest();
  const counts = new Map<string, number>();
  for (const match of matches) {
    await rest();
    countWords(counts, wordsOf(match));
  }
  return counts;
}

function wordsOf({ title, body }: WordMatch): string {
  return [title, ...segmentsOf(body).map(({ words }) => words)].join(" ");
}
