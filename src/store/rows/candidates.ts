/**
 * Where the rows of a stage can be found by the filter's indexes, and where they are fewest.
 *
 * @module
 */
import type { Filter } from "../../content/query/filter.ts";
import { firstOf, type Plan } from "./reading.ts";
import { sourceOf } from "./sources.ts";
import { isImpossible, type Span, spanOfKey, spanOfTest } from "./spans.ts";
import { raw, type Sql, sql } from "./sql.ts";
import type { Search, Stage } from "./stage.ts";

/** A span, and how many rows it holds; no more than that are counted which are too many. */
export interface CountedSpan {
  readonly span: Span;
  readonly count: number;
}

/** Spans that together hold every row of a stage, and maybe others. */
export interface Candidates {
  readonly spans: readonly CountedSpan[];
  /** How many rows they hold at most. */
  readonly count: number;
  /** What of the filter still has to be asked of them. */
  readonly rest: Filter | undefined;
}

/** Counts a span, no further than one beyond the bound. */
type Count = (span: Span) => number;

/** Candidates that can be found by some of these spans; which, their counts tell. */
interface Way {
  readonly spans: readonly Span[];
  choose(count: Count): Candidates;
}

// SQLite joins at most 500 selects in one.
const MAX_SPANS = 200;

/**
 * The fewest candidates that an index gives; undefined where there are more than `bound`, or than may
 * be counted.
 */
export function* fewest(search: Search, stage: Stage, bound: number): Plan<Candidates | undefined> {
  const { filter } = stage;
  const most = Math.min(bound, search.pace.counted);
  const byFilter = filter && wayOf(filter);
  const others = [...spansOfKeys(search, stage), "all" as const].map((span) => by(span, filter));
  const way = least(byFilter === undefined ? others : [byFilter, ...others]);
  if (way === undefined) return undefined;
  const answers = yield way.spans.map((span) => countSql(search, span, most));
  const found = way.choose((span) => {
    const [count = 0] = firstOf<[number]>(answers[way.spans.indexOf(span)]) ?? [];
    return count;
  });
  return bound !== Infinity && found.count > most ? undefined : found;
}

function spansOfKeys({ sorts }: Search, { fixed }: Stage): Span[] {
  return fixed.flatMap((key, index) => {
    const field = sorts[index]?.field;
    return field?.kind === "cells" || field?.kind === "row" ? [spanOfKey(field, key)] : [];
  });
}

function by(span: Span, rest: Filter | undefined): Way {
  const spans = isImpossible(span) ? [] : [span];
  return {
    spans,
    choose(count) {
      const counted = spans.map((span) => ({ span, count: count(span) }));
      return { spans: counted, count: sum(counted.map(({ count }) => count)), rest };
    },
  };
}

export function sum(counts: readonly number[]): number {
  return counts.reduce((all, count) => all + count, 0);
}

function least([first, ...others]: readonly Way[]): Way | undefined {
  return first && {
    spans: [first, ...others].flatMap(({ spans }) => spans),
    choose: (count) =>
      others.reduce((best, way) => {
        if (best.count === 0) return best;
        const next = way.choose(count);
        return next.count < best.count ? next : best;
      }, first.choose(count)),
  };
}

function wayOf(filter: Filter): Way | undefined {
  switch (filter.op) {
    case "and":
      return least(filter.filters.flatMap((_, index) => byPart(filter.filters, index) ?? []));
    case "or":
      return union(filter);
    case "test": {
      const span = spanOf(filter);
      return span && by(span, restOf(filter));
    }
    default:
      return undefined;
  }
}

/** By one of the conditions that must all hold: the others are left to be asked. */
function byPart(parts: readonly Filter[], index: number): Way | undefined {
  const part = parts[index];
  const way = part && wayOf(part);
  return way && {
    ...way,
    choose(count) {
      const found = way.choose(count);
      const filters = [...parts.toSpliced(index, 1), ...(found.rest ? [found.rest] : [])];
      return { ...found, rest: { op: "and", filters } };
    },
  };
}

function union(filter: Extract<Filter, { readonly op: "and" | "or" }>): Way | undefined {
  const ways = filter.filters.flatMap((part) => wayOf(part) ?? []);
  const spans = ways.flatMap((way) => way.spans);
  if (ways.length < filter.filters.length || spans.length > MAX_SPANS) return undefined;
  return {
    spans,
    choose(count) {
      const found = ways.map((way) => way.choose(count));
      return {
        spans: found.flatMap((part) => part.spans),
        count: sum(found.map(({ count }) => count)),
        rest: found.some(({ rest }) => rest !== undefined) ? filter : undefined,
      };
    },
  };
}

type TestFilter = Extract<Filter, { readonly op: "test" }>;

function spanOf({ field, test }: TestFilter): Span | undefined {
  if (field.kind === "computed") return undefined;
  if (field.kind !== "links") return spanOfTest(field, test);
  return test.is === "key" ? { field, linkedWith: test.key } : undefined;
}

/** A key of a text stands for others too, and a linked row may be in the trash. */
function restOf(filter: TestFilter): Filter | undefined {
  return filter.test.is === "text" || filter.field.kind === "links" ? filter : undefined;
}

function countSql({ dialect, realm }: Search, span: Span, bound: number): Sql {
  const { from, where } = sourceOf(span, realm, dialect);
  const some = bound === Infinity ? raw("") : sql`LIMIT CAST(${bound + 1} AS integer)`;
  return sql`SELECT CAST(count(*) AS integer)
    FROM (SELECT 1 FROM ${from} WHERE ${where} ${some}) c`;
}
