/**
 * Keyword search as a search box does it: where nothing has all of the words, misspelt words are
 * corrected, and then pages with some of the words are found.
 *
 * @module
 */
import type { Phrase } from "../../search/text/query.ts";
import { readPhrases, toQuery } from "../../search/text/query.ts";
import { segmentsOf } from "../../search/text/parts.ts";
import {
  corrected,
  countWords,
  isCorrectable,
  type WordCounts,
} from "../../search/words/corrections.ts";
import { formsOf, inflected } from "../../search/words/forms.ts";
import { createRest } from "../../shared/yield_to_event_loop.ts";
import type { SearchWithin, WordIndex, WordMatch } from "../../store/port.ts";
import { pagesWithAll, pagesWithAny, type WordCursor, type WordHit } from "./word_search.ts";

/** How the words were searched for. */
export interface Relaxation {
  /** The query with corrected words; absent if it was searched for as it stands. */
  readonly corrected?: string;
  /** Whether pages may lack some of the words. */
  readonly isAny?: boolean;
  /** True if the last word of a search for any of the words also stands for longer words that it begins. */
  readonly isBegun?: boolean;
}

/** A position in a ranking, and how it was made. */
export type RelaxedCursor = WordCursor & Relaxation;

export interface RelaxedSearch {
  readonly phrases: readonly Phrase[];
  readonly title: string;
  readonly scope: SearchWithin;
  readonly limit: number;
  readonly place: RelaxedCursor | undefined;
  readonly minScore?: number | undefined;
}

export interface RelaxedHits {
  readonly hits: readonly WordHit[];
  /** The words that were searched for, to mark them. */
  readonly phrases: readonly Phrase[];
  readonly relaxation: Relaxation;
}

/** Parts, newest first, whose words corrections are taken from. */
const KNOWN_PARTS = 1_000;

/** Returns pages with all of the words; if there are none, with corrected or with some of the words. */
export async function relaxedSearch(
  store: WordIndex,
  workspace: string,
  search: RelaxedSearch,
): Promise<RelaxedHits> {
  const { phrases, place } = search;
  if (place !== undefined) return await resume(store, workspace, { ...search, place });
  const hits = await pagesWithAll(store, workspace, search);
  if (hits.length > 0) return { hits, phrases: inflected(phrases), relaxation: {} };
  const other = await correctedPhrases(store, workspace, search);
  if (other !== undefined) {
    const relaxation = { corrected: toQuery(other) };
    const hits = await pagesWithAll(store, workspace, { ...search, phrases: other });
    if (hits.length > 0) return { hits, phrases: inflected(other), relaxation };
  }
  return await withSome(store, workspace, search, other);
}

/**
 * Returns pages with any of the words; the last one may be a beginning if no page has the whole word. If
 * there are none, returns pages with any of the corrected words.
 */
export async function searchForAny(
  store: WordIndex,
  workspace: string,
  search: RelaxedSearch,
): Promise<RelaxedHits> {
  const { phrases, place } = search;
  const asked = place?.corrected === undefined ? phrases : readPhrases(place.corrected);
  const corrected = place?.corrected === undefined ? {} : { corrected: place.corrected };
  const found = await withAny(store, workspace, search, asked);
  if (found.hits.length > 0 || place !== undefined) {
    return { ...found, relaxation: { ...found.relaxation, ...corrected } };
  }
  const other = await correctedPhrases(store, workspace, search);
  if (other === undefined) return found;
  const { hits, phrases: forms } = await withAny(store, workspace, search, other);
  if (hits.length === 0) return found;
  return { hits, phrases: forms, relaxation: { corrected: toQuery(other) } };
}

async function withAny(
  store: WordIndex,
  workspace: string,
  search: RelaxedSearch,
  asked: readonly Phrase[],
): Promise<RelaxedHits> {
  const forms = formsOf(asked);
  const begun = withBeginning(forms, asked.at(-1));
  const { place } = search;
  if (place === undefined || place.isBegun !== true) {
    const hits = await pagesWithAny(store, workspace, { ...search, phrases: forms });
    const isKnown = (hits[0]?.place.statistics.counts.at(-1) ?? 0) > 0;
    if (isKnown || begun === undefined || place !== undefined) {
      return { hits, phrases: forms, relaxation: {} };
    }
  }
  const phrases = begun ?? forms;
  const hits = await pagesWithAny(store, workspace, { ...search, phrases });
  return { hits, phrases, relaxation: { isBegun: true } };
}

/** Shorter beginnings are those of too many words. */
const SHORTEST_BEGINNING = 3;

/** Returns the forms with the last word as a beginning; undefined if it cannot be one. */
function withBeginning(
  forms: readonly Phrase[],
  last: Phrase | undefined,
): readonly Phrase[] | undefined {
  const form = forms.at(-1);
  if (last === undefined || form === undefined || !last.isPrefix) return undefined;
  const [term = "", ...others] = last.terms;
  if (others.length > 0 || form.terms.length > 1 || term.length < SHORTEST_BEGINNING) {
    return undefined;
  }
  const isOwn = form.accepts === undefined ? form.terms[0] === term : form.accepts(term);
  return isOwn ? [...forms.slice(0, -1), { terms: [term], isPrefix: true }] : undefined;
}

async function resume(
  store: WordIndex,
  workspace: string,
  search: RelaxedSearch & { readonly place: RelaxedCursor },
): Promise<RelaxedHits> {
  const { corrected, isAny } = search.place;
  const asked = corrected === undefined
    ? search.phrases
    : readPhrases(corrected, await store.hasOutdatedWords(workspace));
  const phrases = isAny === true ? formsOf(asked) : asked;
  const find = isAny === true ? pagesWithAny : pagesWithAll;
  const relaxation = {
    ...(corrected !== undefined && { corrected }),
    ...(isAny !== undefined && { isAny }),
  };
  const hits = await find(store, workspace, { ...search, phrases });
  return { hits, phrases: isAny === true ? phrases : inflected(phrases), relaxation };
}

/**
 * Returns pages with some of the words, unless the query is a single word. Quoted phrases are never left
 * out.
 */
async function withSome(
  store: WordIndex,
  workspace: string,
  search: RelaxedSearch,
  other: readonly Phrase[] | undefined,
): Promise<RelaxedHits> {
  const asked = other ?? search.phrases;
  const phrases = formsOf(asked);
  const isWhole = asked.length === 1 && phrases.length === 1 ||
    asked.some(({ isQuoted }) => isQuoted === true);
  if (isWhole) return { hits: [], phrases: search.phrases, relaxation: {} };
  const hits = await pagesWithAny(store, workspace, { ...search, phrases });
  if (hits.length === 0) return { hits, phrases: search.phrases, relaxation: {} };
  const relaxation = { isAny: true, ...(other !== undefined && { corrected: toQuery(other) }) };
  return { hits, phrases, relaxation };
}

/** Returns the phrases with corrected words; undefined if no word is misspelt. */
async function correctedPhrases(
  store: WordIndex,
  workspace: string,
  { phrases, scope }: RelaxedSearch,
): Promise<Phrase[] | undefined> {
  if (!phrases.some(isCorrectable)) return undefined;
  const { counts } = await store.wordStatistics(workspace, phrases);
  if (phrases.every((phrase, index) => !isCorrectable(phrase) || (counts[index] ?? 0) > 0)) {
    return undefined;
  }
  const words = await knownWords(store, workspace, scope);
  await createRest()();
  const forms = inflected(phrases);
  const isKnown = (_: Phrase, index: number) =>
    (counts[index] ?? 0) > 0 || hasForm(words, forms[index]);
  return corrected(phrases, isKnown, words);
}

function hasForm(words: WordCounts, form: Phrase | undefined): boolean {
  const [start = ""] = form?.terms ?? [];
  return form?.accepts !== undefined &&
    words.keys().some((word) => word.startsWith(start) && form.accepts?.(word) === true);
}

async function knownWords(
  store: WordIndex,
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
