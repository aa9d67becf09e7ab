/**
 * Chooses the index ranges with the fewest candidate rows for a sort prefix.
 *
 * @module
 */
import type { Filter } from "../../content/query/filter.ts";
import { firstOf, type Plan } from "../plan.ts";
import { sourceOf } from "./sources.ts";
import { type IndexRange, isImpossible, rangeOfKey, rangeOfTest } from "./index_ranges.ts";
import { raw, type Sql, sql } from "./sql.ts";
import type { RowSearch, SortPrefix } from "./sort_prefix.ts";

/** An index range and its number of rows. Counting stops one row above the bound. */
export interface CountedRange {
  readonly indexRange: IndexRange;
  readonly count: number;
}

/** Index ranges that together contain every row of a sort prefix, and maybe others. */
export interface Candidates {
  readonly ranges: readonly CountedRange[];
  /** The sum of the ranges' counts. A row may be in several of them. */
  readonly count: number;
  /** The part of the filter that the ranges do not cover. */
  readonly residual: Filter | undefined;
}

/** Returns the number of rows in an index range, at most one above the bound. */
type Count = (indexRange: IndexRange) => number;

/** Candidates from some of these index ranges: `choose` decides by their counts. */
interface CandidateSource {
  readonly ranges: readonly IndexRange[];
  choose(count: Count): Candidates;
}

// SQLite allows at most 500 SELECTs in a UNION.
const MAX_RANGES = 200;

/**
 * Finds the index ranges with the fewest candidates. Returns undefined if there are more than `bound`,
 * or more than one statement may count.
 */
export function* cheapestCandidates(
  search: RowSearch,
  prefix: SortPrefix,
  bound: number,
): Plan<Candidates | undefined> {
  const { filter } = prefix;
  const most = Math.min(bound, search.pace.counted);
  const byFilter = filter && candidateSourceOf(filter);
  const others = [...rangesOfKeys(search, prefix), "all" as const].map((indexRange) =>
    by(indexRange, filter)
  );
  const source = cheapestOf(byFilter === undefined ? others : [byFilter, ...others]);
  if (source === undefined) return undefined;
  const answers = yield source.ranges.map((indexRange) => countSql(search, indexRange, most));
  const found = source.choose((indexRange) => {
    const [count = 0] = firstOf<[number]>(answers[source.ranges.indexOf(indexRange)]) ?? [];
    return count;
  });
  return bound !== Infinity && found.count > most ? undefined : found;
}

function rangesOfKeys({ sorts }: RowSearch, { fixed }: SortPrefix): IndexRange[] {
  return fixed.flatMap((key, index) => {
    const field = sorts[index]?.field;
    return field?.kind === "cells" || field?.kind === "row" ? [rangeOfKey(field, key)] : [];
  });
}

function by(indexRange: IndexRange, residual: Filter | undefined): CandidateSource {
  const ranges = isImpossible(indexRange) ? [] : [indexRange];
  return {
    ranges,
    choose(count) {
      const counted = ranges.map((indexRange) => ({ indexRange, count: count(indexRange) }));
      return { ranges: counted, count: sum(counted.map(({ count }) => count)), residual };
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

function candidateSourceOf(filter: Filter): CandidateSource | undefined {
  switch (filter.op) {
    case "and":
      return cheapestOf(filter.filters.flatMap((_, index) => byPart(filter.filters, index) ?? []));
    case "or":
      return union(filter);
    case "test": {
      const indexRange = rangeOfFilter(filter);
      return indexRange && by(indexRange, residualOf(filter));
    }
    default:
      return undefined;
  }
}

/** Uses the index for one condition of an `and`; the others become the residual. */
function byPart(parts: readonly Filter[], index: number): CandidateSource | undefined {
  const part = parts[index];
  const source = part && candidateSourceOf(part);
  return source && {
    ...source,
    choose(count) {
      const found = source.choose(count);
      const filters = [...parts.toSpliced(index, 1), ...(found.residual ? [found.residual] : [])];
      return { ...found, residual: { op: "and", filters } };
    },
  };
}

function union(
  filter: Extract<Filter, { readonly op: "and" | "or" }>,
): CandidateSource | undefined {
  const sources = filter.filters.flatMap((part) => candidateSourceOf(part) ?? []);
  const ranges = sources.flatMap((source) => source.ranges);
  if (sources.length < filter.filters.length || ranges.length > MAX_RANGES) return undefined;
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

function countSql({ dialect, rowSet }: RowSearch, indexRange: IndexRange, bound: number): Sql {
  const { from, where } = sourceOf(indexRange, rowSet, dialect);
  const some = bound === Infinity ? raw("") : sql`LIMIT CAST(${bound + 1} AS integer)`;
  return sql`SELECT CAST(count(*) AS integer)
    FROM (SELECT 1 FROM ${from} WHERE ${where} ${some}) c`;
}
