/**
 * Keyword search: ranks pages and databases by their words, one page of results at a time.
 *
 * @module
 */
import type { Phrase } from "../../search/text/query.ts";
import { beginningOf } from "../../search/text/parts.ts";
import { countOf } from "../../search/text/spaced.ts";
import {
  compareRankCursors,
  type RankCursor,
  type RankedPage,
  rankPages,
} from "../../search/words/rank.ts";
import { createScore, type MeasuredPart } from "../../search/words/score.ts";
import type {
  SearchWithin,
  WordIndex,
  WordMatch,
  WordMatches,
  WordStatistics,
} from "../../store/port.ts";

export interface WordSearch {
  /** Has at least one phrase. */
  readonly phrases: readonly Phrase[];
  readonly scope: SearchWithin;
  readonly limit: number;
  /** The end of the previous page of results. */
  readonly place: WordCursor | undefined;
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
   * All matches if they are few. Otherwise first those with all words in the title, then the rest.
   */
  readonly tier: "whole" | "title" | "rest";
  readonly from?: number;
  readonly before?: number;
}

/** Up to this many matches are ranked at once; more of them in batches of this size, newest first. */
const BATCH = 300;
/**
 * Terms of the parts with any of the words that are ranked: their texts are read, so that this bounds
 * the time. Short parts are more than long ones, within these limits.
 */
const RANKED_TERMS = 200_000;
const FEWEST_RANKED = 500;
const MOST_RANKED = 3_000;
/** Number of parts with any of the words that are read to learn which word forms exist. */
const SIFTED = 500;

interface WordHit {
  readonly id: string;
  readonly place: WordCursor;
}

/** Returns pages and databases with all of the words, best first. */
export async function pagesWithAll(
  store: WordIndex,
  workspace: string,
  { phrases, scope, limit, place }: WordSearch,
): Promise<WordHit[]> {
  const statistics = place?.statistics ?? await store.wordStatistics(workspace, phrases);
  const score = createScore(phrases, statistics);
  const found: WordHit[] = [];
  let stage: RankRange | undefined = place ?? { tier: "whole" };
  let after = place?.after;
  // If there are too many matches to rank at once, these are the first batch of the rest.
  let newest: WordMatches | undefined;
  while (stage !== undefined && found.length < limit) {
    const { tier, before } = stage;
    const loaded = tier === "rest" && isUnbounded(stage) ? newest : undefined;
    const { matches, rest } = loaded ?? await store.findWords(workspace, {
      phrases,
      scope,
      match: "all",
      inTitle: tier === "title",
      ...bounds(stage),
      // Leaves room for matches that were added since the batch was begun.
      limit: stage.from === undefined ? BATCH : 2 * BATCH,
    });
    if (tier === "whole" && isUnbounded(stage) && rest !== undefined) {
      newest = { matches, rest };
      stage = { tier: "title" };
      continue;
    }
    const from: number = stage.from ?? rest ?? 0;
    const parts = matches.filter((part) =>
      tier === "whole" || isInTitle(part, phrases) === (tier === "title")
    );
    for (const page of behind(rankPages(parts, score), after)) {
      const batch = before === undefined ? { tier, from } : { tier, from, before };
      found.push(toHit(page, { ...batch, statistics }));
    }
    after = undefined;
    stage = next(tier, from);
  }
  return found.slice(0, limit);
}

function isUnbounded({ from, before }: RankRange): boolean {
  return from === undefined && before === undefined;
}

function bounds({ from, before }: RankRange): Pick<RankRange, "from" | "before"> {
  return { ...(from !== undefined && { from }), ...(before !== undefined && { before }) };
}

function next(tier: RankRange["tier"], from: number): RankRange | undefined {
  if (from > 0) return { tier, before: from };
  return tier === "title" ? { tier: "rest" } : undefined;
}

/** Decided by what all parts of a page share, so that each page belongs to one tier. */
function isInTitle({ title }: WordMatch, phrases: readonly Phrase[]): boolean {
  const beginning = beginningOf(title);
  return phrases.every((phrase) => countOf(beginning, phrase) > 0);
}

/**
 * Returns pages and databases with any of the words, best first. If there are very many, only those
 * with one of the rarer words.
 */
export async function pagesWithAny(
  store: WordIndex,
  workspace: string,
  { phrases, scope, limit, place }: WordSearch,
): Promise<WordHit[]> {
  const counted = place?.statistics ?? await store.wordStatistics(workspace, phrases);
  const ranked = mostRanked(counted);
  const { matches } = await store.findWords(workspace, {
    phrases: rarest(phrases, counted, ranked),
    scope,
    match: "any",
    limit: ranked,
  });
  const statistics = place?.statistics ?? sifted(counted, phrases, matches);
  const score: (part: MeasuredPart) => number = createScore(phrases, statistics);
  return behind(rankPages(matches, score), place?.after).slice(0, limit)
    .map((page) => toHit(page, { tier: "whole", statistics }));
}

/** Returns the counts without words that have the prefix of a phrase but do not match it. */
function sifted(
  statistics: WordStatistics,
  phrases: readonly Phrase[],
  matches: readonly WordMatch[],
): WordStatistics {
  const some = matches.slice(0, SIFTED);
  const counts = phrases.map((phrase, index) => {
    const count = statistics.counts[index] ?? 0;
    if (phrase.accepts === undefined) return count;
    const { terms, isPrefix } = phrase;
    const begun = some.filter((part) => hasPhrase(part, { terms, isPrefix }));
    const accepted = begun.filter((part) => hasPhrase(part, phrase));
    return begun.length === 0 ? count : count * accepted.length / begun.length;
  });
  return { ...statistics, counts };
}

function hasPhrase({ title, body }: WordMatch, phrase: Phrase): boolean {
  return countOf(title, phrase) > 0 || countOf(body, phrase) > 0;
}

/** Returns how many parts of the usual length can be ranked together. */
function mostRanked({ parts, length }: WordStatistics): number {
  const average = Math.max(1, length / Math.max(1, parts));
  return Math.min(MOST_RANKED, Math.max(FEWEST_RANKED, Math.floor(RANKED_TERMS / average)));
}

/** Returns the rarest phrases whose matches can be ranked together, at least one phrase. */
function rarest(phrases: readonly Phrase[], { counts }: WordStatistics, ranked: number): Phrase[] {
  const byCount = phrases.map((phrase, index) => ({ phrase, count: counts[index] ?? 0 }))
    .sort((a, b) => a.count - b.count);
  let sum = 0;
  return byCount.filter(({ count }, index) => {
    sum += count;
    return index === 0 || sum <= ranked;
  }).map(({ phrase }) => phrase);
}

function behind(pages: readonly RankedPage[], after: RankCursor | undefined): RankedPage[] {
  return pages.filter((page) => after === undefined || compareRankCursors(page, after) > 0);
}

function toHit({ id, score, no }: RankedPage, batch: Omit<WordCursor, "after">): WordHit {
  return { id, place: { ...batch, after: { score, no } } };
}
