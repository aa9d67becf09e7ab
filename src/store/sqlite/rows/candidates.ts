/**
 * Where the rows of a stage can be found by the filter's indexes, and where they are fewest.
 *
 * @module
 */
import type { Filter } from "../../../content/query/filter.ts";
import { sourceOf } from "./sources.ts";
import { isImpossible, type Span, spanOfKey, spanOfTest } from "./spans.ts";
import { raw, sql } from "./sql.ts";
import type { Search, Stage } from "./stage.ts";

/** Spans that together hold every row of a stage, and maybe others. */
export interface Candidates {
  readonly spans: readonly Span[];
  /** How many rows they hold at most. */
  readonly count: number;
  /** What of the filter still has to be asked of them. */
  readonly rest: Filter | undefined;
}

/** Finds candidates, unless there are more than `within`. */
type Way = (within: number) => Candidates | undefined;

// SQLite joins at most 500 selects in one.
const MAX_SPANS = 200;

/** The fewest candidates that an index gives; undefined where there are more than `bound`. */
export function fewest(search: Search, stage: Stage, bound: number): Candidates | undefined {
  const { filter, fixed } = stage;
  const byKey = fixed.map((key, index): Way => (within) => {
    const field = search.sorts[index]?.field;
    return field === undefined || field.kind === "links" || field.kind === "computed"
      ? undefined
      : counted(search, { span: spanOfKey(field, key), rest: filter }, within);
  });
  const byFilter: Way = (within) => filter && fewestOf(search, filter, within);
  const all: Way = (within) => counted(search, { span: "all", rest: filter }, within);
  return least([byFilter, ...byKey, all], bound);
}

function least(ways: readonly Way[], bound: number): Candidates | undefined {
  let best: Candidates | undefined;
  for (const way of ways) {
    if (best?.count === 0) break;
    best = way(best === undefined ? bound : best.count - 1) ?? best;
  }
  return best;
}

function fewestOf(search: Search, filter: Filter, bound: number): Candidates | undefined {
  switch (filter.op) {
    case "and":
      return least(filter.filters.map((_, index) => byPart(search, filter.filters, index)), bound);
    case "or":
      return union(search, filter, bound);
    case "test": {
      const span = spanOf(filter);
      return span && counted(search, { span, rest: restOf(filter) }, bound);
    }
    default:
      return undefined;
  }
}

/** By one of the conditions that must all hold: the others are left to be asked. */
function byPart(search: Search, parts: readonly Filter[], index: number): Way {
  return (within) => {
    const part = parts[index];
    const found = part && fewestOf(search, part, within);
    if (found === undefined) return undefined;
    const others = parts.toSpliced(index, 1);
    return {
      ...found,
      rest: { op: "and", filters: [...others, ...(found.rest ? [found.rest] : [])] },
    };
  };
}

type Or = Extract<Filter, { readonly op: "and" | "or" }>;

function union(search: Search, filter: Or, bound: number): Candidates | undefined {
  let all: Candidates = { spans: [], count: 0, rest: undefined };
  for (const part of filter.filters) {
    const more = fewestOf(search, part, bound - all.count);
    if (more === undefined || all.spans.length + more.spans.length > MAX_SPANS) return undefined;
    all = {
      spans: [...all.spans, ...more.spans],
      count: all.count + more.count,
      rest: more.rest === undefined ? all.rest : filter,
    };
  }
  return all;
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

function counted(
  { read, realm }: Search,
  { span, rest }: { readonly span: Span; readonly rest: Filter | undefined },
  bound: number,
): Candidates | undefined {
  if (isImpossible(span)) return { spans: [], count: 0, rest };
  const { from, where } = sourceOf(span, realm);
  const some = bound === Infinity ? raw("") : sql`LIMIT ${bound + 1}`;
  const [count = 0] = read.first<[number]>(
    sql`SELECT count(*) FROM (SELECT 1 FROM ${from} WHERE ${where} ${some})`,
  ) ?? [];
  return count > bound ? undefined : { spans: [span], count, rest };
}
