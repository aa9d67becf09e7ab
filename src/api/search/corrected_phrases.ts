/**
 * Corrects the words of a query by those of the newest pages.
 *
 * @module
 */
import { dividedCompound } from "../../search/text/compounds.ts";
import { segmentsOf } from "../../search/text/parts.ts";
import type { Phrase } from "../../search/text/query.ts";
import {
  correct,
  countSimilarWords,
  countWords,
  mayBeMisspelt,
  replaced,
  type Replacement,
  STEP,
  type WordCounts,
} from "../../search/words/corrections.ts";
import { inflected, isGerman } from "../../search/words/forms.ts";
import { createRest, type Rest, withRests } from "../../shared/yield_to_event_loop.ts";
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

/** A query whose words were corrected. */
export interface Correction {
  readonly phrases: readonly Phrase[];
  readonly replacements: readonly Replacement[];
}

/** Returns the phrases with corrected words; undefined if no word seems misspelt. */
export async function correctedPhrases(
  store: Index,
  workspace: string,
  { phrases, scope, language }: SpeltSearch,
): Promise<Correction | undefined> {
  if (!phrases.some((phrase) => mayBeMisspelt(phrase, 0))) return undefined;
  const { counts } = await store.wordStatistics(workspace, phrases);
  const misspelt = phrases.flatMap((phrase, index) => {
    const count = counts[index] ?? 0;
    return mayBeMisspelt(phrase, count) ? [{ word: phrase.terms.join(" "), count }] : [];
  });
  if (misspelt.length === 0) return undefined;
  const rest = createRest();
  const matches = await newestParts(store, workspace, scope);
  const words = misspelt.some(({ count }) => count === 0)
    ? await allWords(matches, rest)
    : await similarWords(matches, { words: misspelt.map(({ word }) => word), rest });
  await rest();
  const forms = inflected(phrases, language);
  const steps = correct(phrases, {
    words,
    *countOf(phrase, index) {
      const count = counts[index] ?? 0;
      if (!mayBeMisspelt(phrase, count)) return count;
      return Math.max(count, yield* countOfForms(words, forms[index]));
    },
    ...(isGerman(phrases, language) && {
      divide: (word: string) => dividedCompound(word, (one) => hasGerman(words, one)),
    }),
  });
  const replacements = await withRests(steps, rest);
  if (replacements.length === 0) return undefined;
  return { phrases: replaced(phrases, replacements), replacements };
}

function* hasGerman(words: WordCounts, word: string): Generator<void, boolean, void> {
  const [form] = inflected([{ terms: [word], isPrefix: false }], "de");
  return words.has(word) || (yield* countOfForms(words, form)) > 0;
}

/** Adds up in how many parts each word stands that is a form, in steps. */
function* countOfForms(
  words: WordCounts,
  form: Phrase | undefined,
): Generator<void, number, void> {
  if (form?.accepts === undefined) return 0;
  const [start = ""] = form.terms;
  let sum = 0;
  let looked = 0;
  for (const [word, count] of words) {
    if (++looked % STEP === 0) yield;
    if (word.startsWith(start) && form.accepts(word)) sum += count;
  }
  return sum;
}

async function newestParts(
  store: Index,
  workspace: string,
  scope: SearchWithin,
): Promise<readonly WordMatch[]> {
  const { matches } = await store.findWords(workspace, {
    phrases: [],
    match: "all",
    scope: { ...scope, kind: scope.kind ?? "page" },
    limit: KNOWN_PARTS,
  });
  return matches;
}

/** The words of the same parts: the store returns the same list until something is written. */
const countedWords = new WeakMap<readonly WordMatch[], WordCounts>();

async function allWords(matches: readonly WordMatch[], rest: Rest): Promise<WordCounts> {
  const known = countedWords.get(matches);
  if (known !== undefined) return known;
  const counts = new Map<string, number>();
  for (const match of matches) {
    await rest();
    await withRests(countWords(counts, wordsOf(match)), rest);
  }
  countedWords.set(matches, counts);
  return counts;
}

/** Returns the words that may be meant by words that a few pages have. */
async function similarWords(
  matches: readonly WordMatch[],
  { words, rest }: { readonly words: readonly string[]; readonly rest: Rest },
): Promise<WordCounts> {
  const counts = new Map<string, number>();
  for (const match of matches) {
    await rest();
    await withRests(countSimilarWords(counts, wordsOf(match), words), rest);
  }
  return counts;
}

function wordsOf({ title, body }: WordMatch): string {
  return [title, ...segmentsOf(body).map(({ words }) => words)].join(" ");
}
