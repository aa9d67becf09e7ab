/**
 * Searching by words, page by page.
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
  /** At least one. */
  readonly phrases: readonly Phrase[];
  readonly scope: SearchWithin;
  readonly limit: number;
  /** Only behind this place. */
  readonly place: WordCursor | undefined;
}

/**
 * Where a page stands in a ranking. It holds all that its score was made of but its own words, so that
 * pages that stay as they are keep their order whatever comes and goes.
 */
export interface WordCursor extends Stage {
  readonly statistics: WordStatistics;
  readonly after: RankCursor;
}

/** A stretch of numbers of pages that is ranked as one. */
interface Stage {
  /**
   * All that was found, where that is not too much; else first what has all words in its title, then
   * the others.
   */
  readonly tier: "whole" | "title" | "rest";
  readonly from?: number;
  readonly before?: number;
}

/** Of so many parts with all words all are ranked; of more by stretches of so many, the newest first. */
const STRETCH = 300;
/** Parts with any of the words that are ranked. */
const RANKED = 500;
/** Of those with any of the words, parts that tell which forms of words there are. */
const SIFTED = 250;

interface Ranked {
  readonly id: string;
  readonly place: WordCursor;
}

/** Pages and databases with all of the words, best first. */
export async function pagesWithAll(
  store: WordIndex,
  workspace: string,
  { phrases, scope, limit, place }: WordSearch,
): Promise<Ranked[]> {
  const statistics = place?.statistics ?? await store.wordStatistics(workspace, phrases);
  const score = createScore(phrases, statistics);
  const found: Ranked[] = [];
  let stage: Stage | undefined = place ?? { tier: "whole" };
  let after = place?.after;
  // What is too much to be ranked as a whole is the first stretch of the rest.
  let newest: WordMatches | undefined;
  while (stage !== undefined && found.length < limit) {
    const { tier, before } = stage;
    const kept = tier === "rest" && isUnbounded(stage) ? newest : undefined;
    const { matches, rest } = kept ?? await store.findWords(workspace, {
      phrases,
      scope,
      match: "all",
      inTitle: tier === "title",
      ...bounds(stage),
      // What has come since into a stretch that was begun finds room in it.
      limit: stage.from === undefined ? STRETCH : 2 * STRETCH,
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
      const stretch = before === undefined ? { tier, from } : { tier, from, before };
      found.push(toRanked(page, { ...stretch, statistics }));
    }
    after = undefined;
    stage = next(tier, from);
  }
  return found.slice(0, limit);
}

function isUnbounded({ from, before }: Stage): boolean {
  return from === undefined && before === undefined;
}

function bounds({ from, before }: Stage): Pick<Stage, "from" | "before"> {
  return { ...(from !== undefined && { from }), ...(before !== undefined && { before }) };
}

function next(tier: Stage["tier"], from: number): Stage | undefined {
  if (from > 0) return { tier, before: from };
  return tier === "title" ? { tier: "rest" } : undefined;
}

/** Told by what every part of a page has, so that each page belongs to one tier. */
function isInTitle({ title }: WordMatch, phrases: readonly Phrase[]): boolean {
  const beginning = beginningOf(title);
  return phrases.every((phrase) => countOf(beginning, phrase) > 0);
}

/**
 * Pages and databases with any of the words, best first. Where that are very many, those are ranked
 * that have one of the rarer words.
 */
export async function pagesWithAny(
  store: WordIndex,
  workspace: string,
  { phrases, scope, limit, place }: WordSearch,
): Promise<Ranked[]> {
  const counted = place?.statistics ?? await store.wordStatistics(workspace, phrases);
  const { matches } = await store.findWords(workspace, {
    phrases: rarest(phrases, counted),
    scope,
    match: "any",
    limit: RANKED,
  });
  const statistics = place?.statistics ?? sifted(counted, phrases, matches);
  const score: (part: MeasuredPart) => number = createScore(phrases, statistics);
  return behind(rankPages(matches, score), place?.after).slice(0, limit)
    .map((page) => toRanked(page, { tier: "whole", statistics }));
}

/** The counts without the words that begin like a phrase's, but are not accepted by it. */
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
    const begun = some.filter(({ body }) => countOf(body, { terms, isPrefix }) > 0);
    const accepted = begun.filter(({ body }) => countOf(body, phrase) > 0);
    return begun.length === 0 ? count : count * accepted.length / begun.length;
  });
  return { ...statistics, counts };
}

/** The rarest phrases that together find no more than is ranked, and one at least. */
function rarest(phrases: readonly Phrase[], { counts }: WordStatistics): Phrase[] {
  const byCount = phrases.map((phrase, index) => ({ phrase, count: counts[index] ?? 0 }))
    .sort((a, b) => a.count - b.count);
  let sum = 0;
  return byCount.filter(({ count }, index) => {
    sum += count;
    return index === 0 || sum <= RANKED;
  }).map(({ phrase }) => phrase);
}

function behind(pages: readonly RankedPage[], after: RankCursor | undefined): RankedPage[] {
  return pages.filter((page) => after === undefined || compareRankCursors(page, after) > 0);
}

function toRanked({ id, score, no }: RankedPage, stretch: Omit<WordCursor, "after">): Ranked {
  return { id, place: { ...stretch, after: { score, no } } };
}
