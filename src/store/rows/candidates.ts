/**
 * Chooses the index ranges with the fewest candidate rows for a sort prefix.
 *
 * @module
 */
import type { Filter } from "../../content/query/filter.ts";
import { firstOf, type Plan } from "../plan.ts";
import { isCutOff, sourceOf } from "./sources.ts";
import {
  type IndexRange,
  isContaining,
  isImpossible,
  isRowList,
  rangeOfFirst,
  rangeOfTest,
  rangesOutside,
  type RowList,
} from "./index_ranges.ts";
import { raw, type Sql, sql, statistic } from "./sql.ts";
import type { RowSearch, SortPrefix } from "./sort_prefix.ts";
import {
  findSearchedTests,
  findTestsInOrder,
  type KnownRanges,
  type SearchedTests,
  searchTexts,
} from "./text_search.ts";

/** An index range and its number of rows. Counting stops one row above the bound. */
export interface CountedRange {
  readonly indexRange: IndexRange;
  readonly count: number;
}

/** Index ranges that together contain every row of a sort prefix, and maybe others. */
export interface Candidates {
  readonly ranges: readonly CountedRange[];
  /** Number of rows that take as long to read. A row may be in several of the ranges. */
  readonly count: number;
  /** The part of the filter that the ranges do not cover. */
  readonly residual: Filter | undefined;
}

interface RangeCount {
  /** Number of entries, at most one above the bound. */
  readonly entries: number;
  /** Number of rows that take as long to read as all of them. */
  readonly cost: number;
}

type Count = (indexRange: IndexRange) => RangeCount;

/** Candidates from some of these index ranges: `choose` decides by their counts. */
interface CandidateSource {
  readonly ranges: readonly IndexRange[];
  choose(count: Count): Candidates;
}

/** Entries of an index that are searched in the time of one candidate. */
const ENTRIES_PER_CANDIDATE = 12;
/** Entries that are counted in the time of one that is searched, whose text is read. */
const COUNTED_PER_SEARCHED = 4;

const NO_TESTS: SearchedTests = new Map();

// SQLite allows at most 500 SELECTs in a UNION.
export const MAX_RANGES = 200;

export interface CandidateBounds {
  readonly bound: number;
  /** True if every row may be a candidate. */
  readonly withAll: boolean;
}

/**
 * Finds the index ranges with the fewest candidates. Returns undefined if there are more than
 * `bound`, or more than may be counted.
 */
export function* cheapestCandidates(
  search: RowSearch,
  prefix: SortPrefix,
  { bound, withAll }: CandidateBounds,
): Plan<Candidates | undefined> {
  const { filter } = prefix;
  const tests = filter === undefined ? NO_TESTS : yield* findSearchedTests(search, filter);
  // An index is read to its end for texts that blocks have side by side.
  const unknown = new Map([...tests.keys()].map((test) => [test, undefined]));
  const indexed = yield* countedCandidates(search, prefix, { bound, withAll, known: unknown });
  // So few are read in less time than texts are searched for fewer.
  const isCheap = indexed !== undefined && indexed.count <= search.few;
  // Before the first scan, which many matches end.
  const isEarly = bound < search.few;
  if (tests.size === 0 || isCheap || isEarly) return indexed;
  // Blocks are searched in the order of the rows, up to the end of the page.
  if ((yield* findTestsInOrder(search, prefix)) !== undefined) return indexed;
  const known = yield* searchTexts(search, tests, bound);
  const searched = yield* countedCandidates(search, prefix, { bound, withAll, known });
  if (searched === undefined || indexed === undefined) return searched ?? indexed;
  return searched.count < indexed.count ? searched : indexed;
}

interface CountOptions extends CandidateBounds {
  readonly known: KnownRanges;
}

function* countedCandidates(
  search: RowSearch,
  prefix: SortPrefix,
  { bound, withAll, known }: CountOptions,
): Plan<Candidates | undefined> {
  const { filter } = prefix;
  const byFilter = filter && candidateSourceOf(filter, known);
  const all = withAll ? ["all" as const] : [];
  const others = [...rangesOfKeys(search, prefix), ...all].map((one) => by(one, filter));
  const source = cheapestOf(byFilter === undefined ? others : [byFilter, ...others]);
  if (source === undefined) return undefined;
  const counted = Math.ceil(search.pace.counted / source.ranges.length);
  const most = Math.min(bound, counted);
  const found = source.choose(yield* countRanges(search, source.ranges, { most, counted }));
  return bound !== Infinity && found.count > most ? undefined : found;
}

interface Bounds {
  /** Maximum cost of a range. */
  readonly most: number;
  /** Maximum number of entries of a range. */
  readonly counted: number;
}

export function* countRanges(
  search: RowSearch,
  ranges: readonly IndexRange[],
  { most, counted }: Bounds,
): Plan<Count> {
  const boundOf = (indexRange: IndexRange) =>
    isContaining(indexRange)
      ? Math.min(most * ENTRIES_PER_CANDIDATE, Math.ceil(counted / COUNTED_PER_SEARCHED))
      : most;
  const counts = new Map<IndexRange, readonly number[]>();
  const unknown = ranges.flatMap((one) => isRowList(one) ? [] : [one]);
  for (const some of search.pace.countsApart ? unknown.map((one) => [one]) : [unknown]) {
    const answers = yield some.map((one) => statistic(countSql(search, one, boundOf(one))));
    some.forEach((one, at) => counts.set(one, firstOf<number[]>(answers[at]) ?? []));
  }
  return (indexRange) => {
    if (isRowList(indexRange)) {
      const { length } = indexRange.rowIds;
      return { entries: length, cost: length };
    }
    const [entries = 0, candidates = 0] = counts.get(indexRange) ?? [];
    if (!isContaining(indexRange)) return { entries, cost: entries };
    const reading = Math.ceil(entries / ENTRIES_PER_CANDIDATE);
    // Entries that were not counted have as large a share of candidates: they would all be read.
    const isUnknown = entries > boundOf(indexRange) && candidates > reading;
    return { entries, cost: isUnknown ? Infinity : reading + candidates };
  };
}

function rangesOfKeys({ sorts }: RowSearch, { fixed }: SortPrefix): IndexRange[] {
  return fixed.flatMap((key, index) => {
    const field = sorts[index]?.field;
    return (field && rangeOfFirst(field, key)) ?? [];
  });
}

function by(indexRange: IndexRange, residual: Filter | undefined): CandidateSource {
  const ranges = isImpossible(indexRange) ? [] : [indexRange];
  return {
    ranges,
    choose(count) {
      const counts = ranges.map(count);
      return {
        ranges: ranges.map((indexRange, at) => ({ indexRange, count: counts[at]?.entries ?? 0 })),
        count: sum(counts.map(({ cost }) => cost)),
        residual,
      };
    },
  };
}

export function sum(counts: readonly number[]): number {
  return counts.reduce((all, count) => all + count, 0);
}

function cheapestOf([first, ...others]: readonly CandidateSource[]): CandidateSource | undefined {
  return first && {
    ranges: [first, ...others].flatMap(({ ranges }) => ranges),
    choose: (count) =>
      others.reduce((best, source) => {
        if (best.count === 0) return best;
        const next = source.choose(count);
        return next.count < best.count ? next : best;
      }, first.choose(count)),
  };
}

function candidateSourceOf(filter: Filter, known: KnownRanges): CandidateSource | undefined {
  switch (filter.op) {
    case "and":
      return cheapestOf(
        filter.filters.flatMap((_, index) => byPart(filter.filters, index, known) ?? []),
      );
    case "or":
      return union(filter.filters.map((part) => candidateSourceOf(part, known)), filter);
    case "not":
      return byFailure(filter);
    case "test": {
      const ranges = known.get(filter);
      if (ranges !== undefined) return union(ranges.map((one) => by(one, filter)), filter);
      if (known.has(filter)) return undefined;
      const indexRange = rangeOfFilter(filter);
      return indexRange && by(indexRange, residualOf(filter));
    }
    default:
      return undefined;
  }
}

/** Uses the index for one condition of an `and`; the others become the residual. */
function byPart(
  parts: readonly Filter[],
  index: number,
  known: KnownRanges,
): CandidateSource | undefined {
  const part = parts[index];
  const source = part && candidateSourceOf(part, known);
  return source && {
    ...source,
    choose(count) {
      const found = source.choose(count);
      const filters = [...parts.toSpliced(index, 1), ...(found.residual ? [found.residual] : [])];
      return { ...found, residual: { op: "and", filters } };
    },
  };
}

/**
 * Candidates that have another value than the condition names. Of several values one is enough, so
 * the condition is tested again.
 */
function byFailure(
  filter: Extract<Filter, { readonly op: "not" }>,
): CandidateSource | undefined {
  const { filter: inner } = filter;
  if (inner.op !== "test") return undefined;
  const { field, test } = inner;
  if (field.kind !== "cells" && field.kind !== "row") return undefined;
  const ranges = rangesOutside(field, test);
  return ranges && union(ranges.map((range) => by(range, filter)), filter);
}

/**
 * Candidates of all sources; undefined if one of them is missing, or if texts would be searched
 * once for each part.
 */
function union(
  parts: readonly (CandidateSource | undefined)[],
  filter: Filter,
): CandidateSource | undefined {
  const sources = parts.filter((part) => part !== undefined);
  const ranges = sources.flatMap((source) => source.ranges);
  const isWhole = sources.length === parts.length && !ranges.some(isContaining);
  if (!isWhole || ranges.length > MAX_RANGES) return undefined;
  return {
    ranges,
    choose(count) {
      const found = sources.map((source) => source.choose(count));
      return {
        ranges: found.flatMap((part) => part.ranges),
        count: sum(found.map(({ count }) => count)),
        residual: found.some(({ residual }) => residual !== undefined) ? filter : undefined,
      };
    },
  };
}

type TestFilter = Extract<Filter, { readonly op: "test" }>;

function rangeOfFilter({ field, test }: TestFilter): IndexRange | undefined {
  if (field.kind === "computed") return undefined;
  if (field.kind !== "links") return rangeOfTest(field, test);
  return test.is === "key" ? { field, linkedWith: test.key } : undefined;
}

/** Texts can share a key, and a linked row may be in the trash: both must be tested again. */
function residualOf(filter: TestFilter): Filter | undefined {
  return filter.test.is === "text" || filter.field.kind === "links" ? filter : undefined;
}

/** Counts the entries of a range; of one that is searched also those that are candidates anyway. */
function countSql(
  { dialect, rowSet }: RowSearch,
  indexRange: Exclude<IndexRange, RowList>,
  bound: number,
): Sql {
  const { from, where, value } = sourceOf(indexRange, rowSet, dialect);
  const some = bound === Infinity ? raw("") : sql`LIMIT CAST(${bound + 1} AS integer)`;
  const entries = raw("CAST(count(*) AS integer)");
  if (!isContaining(indexRange)) {
    return sql`SELECT ${entries} FROM (SELECT 1 FROM ${from} WHERE ${where} ${some}) c`;
  }
  return sql`SELECT ${entries}, CAST(count(CASE WHEN ${
    isCutOff(raw("c.key"))
  } THEN 1 END) AS integer)
    FROM (SELECT ${value} AS key FROM ${from} WHERE ${where} ${some}) c`;
}
