/**
 * Keyword search as a search box does it: where few pages have all of the words, misspelt words are
 * corrected, and where none has, pages with some of the words are found.
 *
 * @module
 */
import type { Phrase } from "../../search/text/query.ts";
import { toQuery } from "../../search/text/query.ts";
import { formsOf, inflected } from "../../search/words/forms.ts";
import type { SearchWithin, WordIndex } from "../../store/port.ts";
import { replaced, type Replacement } from "../../search/words/corrections.ts";
import { correctedPhrases, type Correction } from "./corrected_phrases.ts";
import { pagesWithAll, pagesWithAny, type WordCursor, type WordHit } from "./word_search.ts";

/** How the words were searched for. */
export interface Relaxation {
  /** The query with corrected words; absent if it was searched for as it stands. */
  readonly corrected?: string;
  /** The corrected words. */
  readonly replacements?: readonly Replacement[];
  /** True if pages have each word as asked or as corrected; those as asked come first. */
  readonly isEither?: boolean;
  /** True if pages may lack some of the words. */
  readonly isAny?: boolean;
  /**
   * True if the last word of a search for any of the words also stands for longer words that it
   * begins.
   */
  readonly isBegun?: boolean;
  /** The language of the pages, if the query does not show its own. */
  readonly language?: string;
}

/** A position in a ranking, and how it was made. */
export type RelaxedCursor = WordCursor & Relaxation;

export interface RelaxedSearch {
  readonly phrases: readonly Phrase[];
  readonly title: string;
  readonly scope: SearchWithin;
  /** The language of the pages, if the query does not show its own. */
  readonly language: string | undefined;
  /** Number of results wanted. If few are found, up to `FEW` are returned. */
  readonly limit: number;
  readonly place: RelaxedCursor | undefined;
  readonly minScore?: number | undefined;
}

export interface RelaxedHits {
  readonly hits: readonly WordHit[];
  /** The words that were searched for, as they are spelt. */
  readonly asked: readonly Phrase[];
  /** The same in all their forms, to mark them. */
  readonly phrases: readonly Phrase[];
  readonly relaxation: Relaxation;
}

/** Fewer pages than these are little. */
const FEW = 3;

/**
 * Returns pages with all of the words. If they are few, those with corrected words follow them; if
 * there are none, returns pages with corrected or with some of the words.
 */
export async function relaxedSearch(
  store: WordIndex,
  workspace: string,
  asked: RelaxedSearch,
): Promise<RelaxedHits> {
  const { place } = asked;
  if (place !== undefined) return await resume(store, workspace, { ...asked, place });
  const search = wanted(asked);
  const found = await withAll(store, workspace, search, search.phrases);
  if (found.hits.length >= FEW) return found;
  const other = await correctedPhrases(store, workspace, search);
  if (found.hits.length > 0) {
    if (other === undefined) return found;
    const more = await withEither(store, workspace, search, other);
    return more.hits.length > found.hits.length ? more : found;
  }
  if (other !== undefined) {
    const found = await withAll(store, workspace, search, other.phrases);
    if (found.hits.length > 0) {
      return { ...found, relaxation: { ...found.relaxation, ...correctedBy(other) } };
    }
  }
  return await withSome(store, workspace, search, other);
}

/** At least `FEW` results: the size of a page must not decide whether they are few. */
function wanted(search: RelaxedSearch): RelaxedSearch {
  return { ...search, limit: Math.max(FEW, search.limit) };
}

/**
 * Returns pages with any of the words; the last one may be a beginning if no page has the whole
 * word. If they are few, returns pages with any of the words or of the corrected ones.
 */
export async function searchForAny(
  store: WordIndex,
  workspace: string,
  asked: RelaxedSearch,
): Promise<RelaxedHits> {
  const search = wanted(asked);
  const { phrases, place } = search;
  const known = correctionAt(place, phrases);
  const words = known === undefined ? phrases : united(phrases, known.phrases);
  const found = await withAny(store, workspace, search, words);
  if (place !== undefined || found.hits.length >= FEW) {
    return { ...found, relaxation: { ...found.relaxation, ...correctedBy(known) } };
  }
  const other = await correctedPhrases(store, workspace, search);
  if (other === undefined) return found;
  const better = await withAny(store, workspace, search, united(phrases, other.phrases));
  if (better.hits.length <= found.hits.length) return found;
  return { ...better, relaxation: { ...better.relaxation, ...correctedBy(other) } };
}

/** The correction of the query that a position is in; undefined if there is none. */
function correctionAt(
  place: RelaxedCursor | undefined,
  asked: readonly Phrase[],
): Correction | undefined {
  const { replacements } = place ?? {};
  return replacements && { phrases: replaced(asked, replacements), replacements };
}

function correctedBy(correction: Correction | undefined): Relaxation {
  if (correction === undefined) return {};
  const { phrases, replacements } = correction;
  return { corrected: toQuery(phrases), replacements };
}

/** The corrected phrases, behind those that they replace. */
function united(phrases: readonly Phrase[], other: readonly Phrase[]): Phrase[] {
  const kept = new Set(other.map(textOf));
  return [
    ...phrases.filter((phrase) => !kept.has(textOf(phrase)))
      .map((phrase) => ({ ...phrase, isPrefix: false })),
    ...other,
  ];
}

function textOf({ terms }: Phrase): string {
  return terms.join(" ");
}

async function withAll(
  store: WordIndex,
  workspace: string,
  search: RelaxedSearch,
  asked: readonly Phrase[],
): Promise<RelaxedHits> {
  const phrases = inflected(asked, search.language);
  const hits = await pagesWithAll(store, workspace, { ...search, phrases: asked, forms: phrases });
  return { hits, asked, phrases, relaxation: languageOf(search) };
}

/** Returns pages with all of the words, each as asked or as corrected; there are as many of both. */
async function withEither(
  store: WordIndex,
  workspace: string,
  search: RelaxedSearch,
  correction: Correction,
): Promise<RelaxedHits> {
  const { phrases: asked, language } = search;
  const { phrases: other } = correction;
  const corrected = inflected(other, language);
  const phrases = inflected(asked, language).map((form, index) => {
    const [word, correction] = [asked[index], corrected[index]];
    const isSame = word === undefined || correction === undefined ||
      textOf(word) === textOf(other[index] ?? word);
    return isSame ? form : { ...form, or: [...(form.or ?? []), correction] };
  });
  const hits = await pagesWithAll(store, workspace, { ...search, phrases: asked, forms: phrases });
  const relaxation = { ...languageOf(search), ...correctedBy(correction), isEither: true };
  return { hits, asked, phrases, relaxation };
}

async function withAny(
  store: WordIndex,
  workspace: string,
  search: RelaxedSearch,
  asked: readonly Phrase[],
): Promise<RelaxedHits> {
  const forms = formsOf(asked, search.language);
  const begun = withBeginning(forms, asked.at(-1));
  const { place } = search;
  const relaxation = languageOf(search);
  if (place === undefined || place.isBegun !== true) {
    const hits = await pagesWithAny(store, workspace, { ...search, phrases: forms });
    const isKnown = (hits[0]?.place.statistics.counts.at(-1) ?? 0) > 0;
    if (isKnown || begun === undefined || place !== undefined) {
      return { hits, asked, phrases: forms, relaxation };
    }
  }
  const phrases = begun ?? forms;
  const hits = await pagesWithAny(store, workspace, { ...search, phrases });
  return { hits, asked, phrases, relaxation: { ...relaxation, isBegun: true } };
}

function languageOf({ language }: RelaxedSearch): Pick<Relaxation, "language"> {
  return language === undefined ? {} : { language };
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
  const { isAny, isEither } = search.place;
  const correction = correctionAt(search.place, search.phrases);
  if (isEither === true && correction !== undefined) {
    return await withEither(store, workspace, search, correction);
  }
  const relaxation = {
    ...languageOf(search),
    ...correctedBy(correction),
    ...(isAny !== undefined && { isAny }),
  };
  const asked = correction?.phrases ?? search.phrases;
  if (isAny === true) {
    const phrases = formsOf(asked, search.language);
    const hits = await pagesWithAny(store, workspace, { ...search, phrases });
    return { hits, asked, phrases, relaxation };
  }
  return { ...await withAll(store, workspace, search, asked), relaxation };
}

/**
 * Returns pages with some of the words, unless the query is a single word. Quoted phrases are never
 * left out.
 */
async function withSome(
  store: WordIndex,
  workspace: string,
  search: RelaxedSearch,
  correction: Correction | undefined,
): Promise<RelaxedHits> {
  const { language } = search;
  const asked = correction?.phrases ?? search.phrases;
  const phrases = formsOf(asked, language);
  const isWhole = asked.length === 1 && phrases.length === 1 ||
    asked.some(({ isQuoted }) => isQuoted === true);
  const nothing = {
    hits: [],
    asked: search.phrases,
    phrases: search.phrases,
    relaxation: {},
  };
  if (isWhole) return nothing;
  const hits = await pagesWithAny(store, workspace, { ...search, phrases });
  if (hits.length === 0) return nothing;
  const relaxation = {
    ...languageOf(search),
    isAny: true,
    ...correctedBy(correction),
  };
  return { hits, asked, phrases, relaxation };
}
