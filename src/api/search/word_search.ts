/**
 * Keyword search: ranks pages and databases by their words, one page of results at a time.
 *
 * @module
 */
import { acceptingAll, hasPhrase } from "../../search/text/candidates.ts";
import type { Phrase } from "../../search/text/query.ts";
import { beginningOf } from "../../search/text/parts.ts";
import { mainTerms, occursIn } from "../../search/text/spaced.ts";
import { compareRankCursors, type RankCursor, type RankedPage } from "../../search/words/rank.ts";
import { createRest, type Rest, withRests } from "../../shared/yield_to_event_loop.ts";
import { createScore } from "../../search/words/score.ts";
import type {
  SearchWithin,
  WordIndex,
  WordMatch,
  WordQuery,
  WordStatistics,
} from "../../store/port.ts";
import { bestParts, createPhraseFinder, fittingPages, type ScoredPart } from "./page_parts.ts";
import { partPortions } from "./part_portions.ts";

export interface WordSearch {
  /** Has at least one phrase. */
  readonly phrases: readonly Phrase[];
  /** The spaced words of the query: a page with this title comes first. */
  readonly title?: string;
  readonly scope: SearchWithin;
  readonly limit: number;
  /** The end of the previous page of results. */
  readonly place: WordCursor | undefined;
  /** Pages with a lower score are left out; default: none. */
  readonly minScore?: number | undefined;
}

export interface FormSearch extends WordSearch {
  /** Other forms of the phrases. Pages with these follow pages with the words as asked. */
  readonly forms: readonly Phrase[];
}

/**
 * The position of a page in a ranking. It includes the statistics that scores depend on, so that
 * unchanged pages keep their order while others are added or removed.
 */
export interface WordCursor extends RankRange {
  readonly statistics: WordStatistics;
  readonly after: RankCursor;
}

/** A range of page numbers that is ranked at once. */
interface RankRange {
  /**
   * All matches if they are few, in any form of the words. Otherwise first pages whose title is the
   * query, then those with all words in the title, then the rest, then other forms of the words.
   */
  readonly tier: "whole" | "named" | "title" | "rest" | "forms";
  readonly from?: number;
  readonly before?: number;
  /**
   * From this number on, pages whose title is the query were in the tier `named`. Older ones are
   * ranked like other pages.
   */
  readonly namedFrom?: number;
}

/**
 * Up to this many matches are ranked at once; more of them in batches of this size, newest first.
 */
const BATCH = 300;
/**
 * Terms of the parts with any of the words that are ranked: their texts are read, so that this
 * bounds the time. Short parts are more than long ones, within these limits.
 */
const RANKED_TERMS = 200_000;
const FEWEST_RANKED = 500;
const MOST_RANKED = 3_000;
/** Number of parts with any of the words that are read to learn which word forms exist. */
const SIFTED = 500;

/** Parts, newest first, whose titles have the query as a phrase and are compared with it at first. */
const MOST_NAMED = 1_000;
/**
 * Added to scores, so that pages named as the query come first, then those with the words as asked.
 */
const NAMED = 2_000_000;
const EXACT = 1_000_000;

export interface WordHit {
  readonly id: string;
  readonly place: WordCursor;
  /** The score by words alone, without what puts pages first for other reasons. */
  readonly score: number;
  /** True if the title equals the query. */
  readonly isNamed: boolean;
  /** The part that matches best. */
  readonly part: WordMatch;
}

/** Returns pages and databases with all of the words, in any of their forms, best first. */
export async function pagesWithAll(
  store: WordIndex,
  workspace: string,
  { limit, ...search }: FormSearch,
): Promise<WordHit[]> {
  const found: WordHit[] = [];
  for await (const hits of hitsWithAll(store, workspace, search)) {
    found.push(...hits.slice(0, limit - found.length));
    if (found.length === limit) break;
  }
  return found;
}

/** Yields the same in portions: the texts of all of them may be long. */
export async function* hitsWithAll(
  store: WordIndex,
  workspace: string,
  { phrases, forms, title = "", scope, place, minScore = -Infinity }: Omit<FormSearch, "limit">,
): AsyncGenerator<readonly WordHit[], void> {
  const pause = createRest();
  const statistics = place?.statistics ?? await store.wordStatistics(workspace, phrases);
  // An index looks through all of its words for a phrase that no text has.
  const isMissing = phrases.some((phrase, index) =>
    forms[index] === phrase && statistics.counts[index] === 0
  );
  if (isMissing) return;
  const asked: AskedWords = { phrases, forms, title, statistics };
  let stage: RankRange | undefined = place ??
    await firstRange(store, workspace, { phrases, title, scope, statistics });
  let after = place?.after;
  while (stage !== undefined) {
    await pause();
    const { tier, before, namedFrom = 0 } = stage;
    const most = tier === "named" ? MOST_NAMED : BATCH;
    const { matches, rest } = await store.findWords(workspace, {
      ...wordsOf(tier, asked),
      scope,
      match: "all",
      ...bounds(stage),
      // Leaves room for matches that were added since the batch was begun.
      limit: stage.from === undefined ? most : 2 * most,
    });
    if (tier === "whole" && isUnbounded(stage) && rest !== undefined) {
      stage = rangeOfMany(title);
      continue;
    }
    const from: number = stage.from ?? rest ?? 0;
    await pause();
    const pages = await ranking(matches, { tier, namedFrom, asked, pause });
    const batch = { tier, from, namedFrom, ...(before !== undefined && { before }) };
    yield behind(pages, after).filter(({ wordScore }) => wordScore >= minScore)
      .map((page) => toHit(page, { ...batch, statistics }));
    after = undefined;
    stage = next(batch);
  }
}

interface Asked extends Pick<WordSearch, "phrases" | "scope"> {
  readonly title: string;
  readonly statistics: WordStatistics;
}

/**
 * Returns what is ranked first. Where very many pages probably have the words as asked, only these
 * are asked for: other forms are beginnings of words, whose lists an index would merge for nothing.
 */
async function firstRange(
  store: WordIndex,
  workspace: string,
  { phrases, title, scope, statistics }: Asked,
): Promise<RankRange> {
  const { parts, counts } = statistics;
  const expected = counts.reduce((sum, count) => sum * count / Math.max(1, parts), parts);
  if (expected < 2 * BATCH) return { tier: "whole" };
  const { rest } = await store.findWords(workspace, {
    phrases: rarestFirst(phrases, statistics),
    scope,
    match: "all",
    limit: BATCH,
  });
  return rest === undefined ? { tier: "whole" } : rangeOfMany(title);
}

/** Returns the range that is ranked first if there are more matches than are ranked together. */
function rangeOfMany(title: string): RankRange {
  return { tier: title === "" ? "title" : "named" };
}

interface AskedWords {
  readonly phrases: readonly Phrase[];
  readonly forms: readonly Phrase[];
  readonly title: string;
  readonly statistics: WordStatistics;
}

/** Returns the phrases that the store is asked for. */
function wordsOf(
  tier: RankRange["tier"],
  { phrases, forms, title, statistics }: AskedWords,
): { readonly phrases: readonly Phrase[]; readonly inTitle: boolean } {
  if (tier === "named") {
    return { phrases: [{ terms: mainTerms(title), isPrefix: false }], inTitle: true };
  }
  const isAnyForm = tier === "whole" || tier === "forms";
  return {
    phrases: rarestFirst(isAnyForm ? forms : phrases, statistics),
    inTitle: tier === "title",
  };
}

/** Orders phrases, of which an index may look for the first few only. */
function rarestFirst(phrases: readonly Phrase[], { counts }: WordStatistics): readonly Phrase[] {
  const countOf = new Map(phrases.map((phrase, index) => [phrase, counts[index] ?? 0]));
  return phrases.toSorted((a, b) => (countOf.get(a) ?? 0) - (countOf.get(b) ?? 0));
}

interface NamedPage extends RankedPage<WordMatch> {
  readonly isNamed: boolean;
  /** The score by words alone. */
  readonly wordScore: number;
}

interface Ranking {
  readonly tier: RankRange["tier"];
  readonly namedFrom: number;
  readonly asked: AskedWords;
  readonly pages: readonly NamedPage[];
}

/** The rankings of the same parts: the store returns the same list until something is written. */
const knownRankings = new WeakMap<readonly WordMatch[], Ranking>();

interface RankedParts extends Omit<Ranking, "pages"> {
  readonly pause: Rest;
}

/** Ranks parts, and returns the same ranking to further pages of results and searches. */
async function ranking(
  matches: readonly WordMatch[],
  { tier, namedFrom, asked, pause }: RankedParts,
): Promise<readonly NamedPage[]> {
  const known = knownRankings.get(matches);
  const isKnown = known?.tier === tier && known.namedFrom === namedFrom &&
    isSame(known.asked, asked);
  if (isKnown) return known.pages;
  const pages = await rankParts(matches, { tier, namedFrom, asked, pause });
  knownRankings.set(matches, { tier, namedFrom, asked, pages });
  return pages;
}

/** Forms are the same list only if they are those of the same phrases. */
function isSame(one: AskedWords, other: AskedWords): boolean {
  return one.forms === other.forms && one.title === other.title &&
    JSON.stringify(one.statistics) === JSON.stringify(other.statistics);
}

/** Returns the pages of a tier among these parts, best first. */
async function rankParts(
  matches: readonly WordMatch[],
  { tier, namedFrom, asked: { phrases, forms, title, statistics }, pause }: RankedParts,
): Promise<NamedPage[]> {
  const named = namedPages(matches, title);
  const exact = await fittingPages(matches, phrases, { match: "all", pause });
  const others = matches.filter(({ id }) => !exact.has(id));
  const formed = await fittingPages(others, forms, { match: "all", pause });
  const wanted = matches.filter((part) =>
    isOfTier(tier, {
      isNamed: named.has(part.id) && part.no >= namedFrom,
      isExact: exact.has(part.id),
      isTitled: () => isInTitle(part, phrases),
    })
  );
  const ranked = async (ids: ReadonlySet<string>, phrases: readonly Phrase[]) => {
    const parts = wanted.filter(({ id }) => ids.has(id));
    return await bestParts(parts, createScore(phrases, statistics), pause);
  };
  const best = [...await ranked(exact, phrases), ...await ranked(formed, forms)];
  return best.map((one) => {
    const isNamed = named.has(one.part.id);
    const bonus = tier !== "whole" ? 0 : isNamed ? NAMED : exact.has(one.part.id) ? EXACT : 0;
    return toPage(one, { isNamed, bonus });
  }).sort(compareRankCursors);
}

/** Returns the IDs of the pages with this title. */
function namedPages(matches: readonly WordMatch[], title: string): ReadonlySet<string> {
  return new Set(
    matches.filter((part) => title !== "" && part.title === title).map(({ id }) => id),
  );
}

interface Standing {
  readonly isNamed: boolean;
  /** Added to the score. */
  readonly bonus: number;
}

function toPage({ part, score }: ScoredPart, { isNamed, bonus }: Standing): NamedPage {
  return { id: part.id, no: part.no, part, score: score + bonus, wordScore: score, isNamed };
}

interface PageKind {
  readonly isNamed: boolean;
  readonly isExact: boolean;
  readonly isTitled: () => boolean;
}

/** Each page belongs to one tier. */
function isOfTier(tier: RankRange["tier"], { isNamed, isExact, isTitled }: PageKind): boolean {
  if (tier === "whole") return true;
  if (tier === "forms") return !isExact;
  if (tier === "named") return isNamed;
  return isExact && !isNamed && isTitled() === (tier === "title");
}

function isUnbounded({ from, before }: RankRange): boolean {
  return from === undefined && before === undefined;
}

function bounds({ from, before }: RankRange): Pick<RankRange, "from" | "before"> {
  return { ...(from !== undefined && { from }), ...(before !== undefined && { before }) };
}

/** Returns what is ranked after a range that began at `from`. */
function next(
  { tier, from, namedFrom }: Required<Pick<RankRange, "tier" | "from" | "namedFrom">>,
): RankRange | undefined {
  if (tier === "named") return { tier: "title", namedFrom: from };
  if (from > 0) return { tier, before: from, namedFrom };
  if (tier === "title") return { tier: "rest", namedFrom };
  return tier === "rest" ? { tier: "forms", namedFrom } : undefined;
}

/** Decided by what all parts of a page share, so that each page belongs to one tier. */
function isInTitle({ title }: WordMatch, phrases: readonly Phrase[]): boolean {
  const beginning = beginningOf(title);
  return phrases.every((phrase) => occursIn(beginning, phrase));
}

/**
 * Returns pages and databases with any of the words, best first. If there are very many, only those
 * with one of the rarer words or, where these are few, the newest with one of the others, too.
 */
export async function pagesWithAny(
  store: WordIndex,
  workspace: string,
  { phrases, title = "", scope, limit, place, minScore = -Infinity }: WordSearch,
): Promise<WordHit[]> {
  const pause = createRest();
  const counted = place?.statistics ?? await store.wordStatistics(workspace, phrases);
  const ranked = mostRanked(counted);
  const { rarer, others } = byRarity(phrases, counted, ranked);
  if (rarer.length === 0) return [];
  const find = async (phrases: readonly Phrase[], limit: number) =>
    (await store.findWords(workspace, { phrases, scope, match: "any", limit })).matches;
  const best = await find(rarer, ranked);
  const isFew = best.length < BATCH && others.length > 0;
  // A part may be there twice: a page is ranked by its best part.
  const matches = isFew ? [...best, ...await find(others, BATCH - best.length)] : best;
  const statistics = place?.statistics ?? await sifted(counted, { phrases, matches, pause });
  const score = createScore(phrases, statistics);
  const named = namedPages(matches, title);
  const pages = (await bestParts(matches, score, pause))
    // The index also finds words that merely begin like a form of one that is asked for.
    .filter(({ score }) => score > 0 && score >= minScore)
    .map((one) => {
      const isNamed = named.has(one.part.id);
      return toPage(one, { isNamed, bonus: isNamed ? NAMED : 0 });
    });
  return behind(pages.sort(compareRankCursors), place?.after).slice(0, limit)
    .map((page) => toHit(page, { tier: "whole", statistics }));
}

/** Returns the counts without words that have the prefix of a phrase but do not match it. */
async function sifted(
  statistics: WordStatistics,
  { phrases, matches, pause }: SiftedWords,
): Promise<WordStatistics> {
  const some = matches.slice(0, SIFTED);
  const counts: number[] = [];
  for (const [index, phrase] of phrases.entries()) {
    const count = statistics.counts[index] ?? 0;
    const share = phrase.accepts === undefined
      ? 1
      : await withRests(acceptedShare(some, phrase), pause);
    counts.push(count * share);
  }
  return { ...statistics, counts };
}

interface SiftedWords {
  readonly phrases: readonly Phrase[];
  readonly matches: readonly WordMatch[];
  readonly pause: Rest;
}

/** Returns the share of parts with the phrase among those with its prefix; 1 if there are none. */
function* acceptedShare(
  parts: readonly WordMatch[],
  phrase: Phrase,
): Generator<void, number, void> {
  const begun = acceptingAll(phrase);
  let [found, accepted] = [0, 0];
  for (const part of parts) {
    yield;
    if (!(yield* hasPhrase(part, begun))) continue;
    found++;
    if (yield* hasPhrase(part, phrase)) accepted++;
  }
  return found === 0 ? 1 : accepted / found;
}

/** Returns how many parts of the usual length can be ranked together. */
function mostRanked({ parts, length }: WordStatistics): number {
  const average = Math.max(1, length / Math.max(1, parts));
  return Math.min(MOST_RANKED, Math.max(FEWEST_RANKED, Math.floor(RANKED_TERMS / average)));
}

interface ByRarity {
  /** The rarest phrases whose matches can be ranked together, at least one that pages have. */
  readonly rarer: readonly Phrase[];
  readonly others: readonly Phrase[];
}

/** Leaves out phrases that no part has. */
function byRarity(
  phrases: readonly Phrase[],
  { counts }: WordStatistics,
  ranked: number,
): ByRarity {
  const byCount = phrases.map((phrase, index) => ({ phrase, count: counts[index] ?? 0 }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => a.count - b.count);
  let sum = 0;
  const { rarer = [], others = [] } = Object.groupBy(byCount, ({ count }) => {
    const isFirst = sum === 0;
    sum += count;
    return isFirst || sum <= ranked ? "rarer" : "others";
  });
  return {
    rarer: rarer.map(({ phrase }) => phrase),
    others: others.map(({ phrase }) => phrase),
  };
}

function behind<P extends RankCursor>(pages: readonly P[], after: RankCursor | undefined): P[] {
  return pages.filter((page) => after === undefined || compareRankCursors(page, after) > 0);
}

function toHit(
  { id, score, no, wordScore, isNamed, part }: NamedPage,
  batch: Omit<WordCursor, "after">,
): WordHit {
  return { id, score: wordScore, isNamed, part, place: { ...batch, after: { score, no } } };
}

/** Returns which of these pages and databases have all or any of the phrases, each in any part. */
export async function pagesWithWords(
  store: Pick<WordIndex, "words">,
  workspace: string,
  ids: readonly string[],
  { phrases, match, rest = createRest() }: Pick<WordQuery, "phrases" | "match"> & {
    readonly rest?: Rest;
  },
): Promise<ReadonlySet<string>> {
  const found = createPhraseFinder(phrases, match);
  if (phrases.length === 0) return found.ids;
  for await (const parts of partPortions(store, workspace, ids, (id) => found.ids.has(id))) {
    await found.add(parts, rest);
  }
  return found.ids;
}
