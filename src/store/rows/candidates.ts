/**
 * Where the rows of a stage can be found by the filter's indexes, and where they are fewest.
 *
 * @module
 */
import type { Filter } from "../../content/query/filter.ts";
import { firstOf, type Plan } from "../plan.ts";
import { sourceOf } from "./sources.ts";
import { type IndexRange, isImpossible, rangeOfKey, rangeOfTest } from "./index_ranges.ts";
import { raw, type Sql, sql } from "./sql.ts";
import type { RowSearch, SortPrefix } from "./sort_prefix.ts";

/** A span, and how many rows it holds; no more than that are counted which are too many. */
export interface CountedSpan {
  readonly span: IndexRange;
  readonly count: number;
}

/** Spans that together hold every row of a stage, and maybe others. */
export interface Candidates {
  readonly ranges: readonly CountedSpan[];
  /** How many rows they hold at most. */
  readonly count: number;
  /** What of the filter still has to be asked of them. */
  readonly rest: Filter | undefined;
}

/** Counts a span, no further than one beyond the bound. */
type Count = (span: IndexRange) => number;

/** Candidates that can be found by some of these spans; which, their counts tell. */
interface CandidateSource {
  readonly ranges: readonly IndexRange[];
  choose(count: Count): Candidates;
}

// SQLite joins at most 500 selects in one.
const MAX_SPANS = 200;

/**
 * The fewest candidates that an index gives; undefined where there are more than `bound`, or than may
 * be counted.
 */
export function* cheapestCandidates(
  search: RowSearch,
  prefix: SortPrefix,
  bound: number,
): Plan<Candidates | undefined> {
  const { filter } = prefix;
  const most = Math.min(bound, search.pace.counted);
  const byFilter = filter && candidateSourceOf(filter);
  const others = [...spansOfKeys(search, prefix), "all" as const].map((span) => by(span, filter));
  const way = least(byFilter === undefined ? others : [byFilter, ...others]);
  if (way === undefined) return undefined;
  const answers = yield way.ranges.map((span) => countSql(search, span, most));
  const found = way.choose((span) => {
    const [count = 0] = firstOf<[number]>(answers[way.ranges.indexOf(span)]) ?? [];
    return count;
  });
  return bound !== Infinity && found.count > most ? undefined : found;
}

function spansOfKeys({ sorts }: RowSearch, { fixed }: SortPrefix): IndexRange[] {
  return fixed.flatMap((key, index) => {
    const field = sorts[index]?.field;
    return field?.kind === "cells" || field?.kind === "row" ? [rangeOfKey(field, key)] : [];
  });
}

function by(span: IndexRange, rest: Filter | undefined): CandidateSource {
  const ranges = isImpossible(span) ? [] : [span];
  return {
    ranges,
    choose(count) {
      const counted = ranges.map((span) => ({ span, count: count(span) }));
      return { ranges: counted, count: sum(counted.map(({ count }) => count)), rest };
    },
  };
}

export function sum(counts: readonly number[]): number {
  return counts.reduce((all, count) => all + count, 0);
}

function least([first, ...others]: readonly CandidateSource[]): CandidateSource | undefined {
  return first && {
    ranges: [first, ...others].flatMap(({ ranges }) => ranges),
    choose: (count) =>
      others.reduce((best, way) => {
        if (best.count === 0) return best;
        const next = way.choose(count);
        return next.count < best.count ? next : best;
      }, first.choose(count)),
  };
}

function candidateSourceOf(filter: Filter): CandidateSource | undefined {
  switch (filter.op) {
    case "and":
      return least(filter.filters.flatMap((_, index) => byPart(filter.filters, index) ?? []));
    case "or":
      return union(filter);
    case "test": {
      const span = rangeOfFilter(filter);
      return span && by(span, restOf(filter));
    }
    default:
      return undefined;
  }
}

/** By one of the conditions that must all hold: the others are left to be asked. */
function byPart(parts: readonly Filter[], index: number): CandidateSource | undefined {
  const part = parts[index];
  const way = part && candidateSourceOf(part);
  return way && {
    ...way,
    choose(count) {
      const found = way.choose(count);
      const filters = [...parts.toSpliced(index, 1), ...(found.rest ? [found.rest] : [])];
      return { ...found, rest: { op: "and", filters } };
    },
  };
}

function union(
  filter: Extract<Filter, { readonly op: "and" | "or" }>,
): CandidateSource | undefined {
  const ways = filter.filters.flatMap((part) => candidateSourceOf(part) ?? []);
  const ranges = ways.flatMap((way) => way.ranges);
  if (ways.length < filter.filters.length || ranges.length > MAX_SPANS) return undefined;
  return {
    ranges,
    choose(count) {
      const found = ways.map((way) => way.choose(count));
      return {
        ranges: found.flatMap((part) => part.ranges),
        count: sum(found.map(({ count }) => count)),
        rest: found.some(({ rest }) => rest !== undefined) ? filter : undefined,
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

/** A key of a text stands for others too, and a linked row may be in the trash. */
function restOf(filter: TestFilter): Filter | undefined {
  return filter.test.is === "text" || filter.field.kind === "links" ? filter : undefined;
}

function countSql({ dialect, rowSet }: RowSearch, span: IndexRange, bound: number): Sql {
  const { from, where } = sourceOf(span, rowSet, dialect);
  const some = bound === Infinity ? raw("") : sql`LIMIT CAST(${bound + 1} AS integer)`;
  return sql`SELECT CAST(count(*) AS integer)
    FROM (SELECT 1 FROM ${from} WHERE ${where} ${some}) c`;
}
