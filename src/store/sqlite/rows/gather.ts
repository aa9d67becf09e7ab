/**
 * Rows by the filter's indexes: all candidates are judged, and the first in order kept.
 *
 * @module
 */
import type { Filter, Place, SortKey } from "../../../content/query/filter.ts";
import { takeFirst } from "./first.ts";
import { firstValue, judge, judgeFirst } from "./judge.ts";
import { isAskedFor, sourceOf } from "./sources.ts";
import { isImpossible, type Span, spanOfKey, spanOfTest } from "./spans.ts";
import { combine, join, raw, type Sql, sql } from "./sql.ts";
import { isBehind, type Search, type Stage } from "./stage.ts";

/** Spans that together hold every row of a stage, and how many rows they hold at most. */
export interface Candidates {
  readonly spans: readonly Span[];
  readonly count: number;
}

// SQLite joins at most 500 selects in one.
const MAX_SPANS = 200;

/** The fewest candidates that an index gives; undefined where there are more than `bound`. */
export function fewest(search: Search, stage: Stage, bound: number): Candidates | undefined {
  const fixed = stage.fixed.map((key, index): Way => (within) => {
    const field = search.sorts[index]?.field;
    return field === undefined || field.kind === "links" || field.kind === "computed"
      ? undefined
      : counted(search, spanOfKey(field, key), within);
  });
  const { filter } = stage;
  const asked: Way = (within) => filter && fewestOf(search, filter, within);
  const all: Way = (within) => counted(search, "all", within);
  return least([asked, ...fixed, all], bound);
}

/** Finds candidates, unless there are more than `within`. */
type Way = (within: number) => Candidates | undefined;

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
      return least(filter.filters.map((part) => (within) => fewestOf(search, part, within)), bound);
    case "or":
      return union(filter.filters.map((part) => (within) => fewestOf(search, part, within)), bound);
    case "test": {
      const span = spanOf(filter);
      return span && counted(search, span, bound);
    }
    default:
      return undefined;
  }
}

function union(ways: readonly Way[], bound: number): Candidates | undefined {
  let all: Candidates = { spans: [], count: 0 };
  for (const way of ways) {
    const more = way(bound - all.count);
    if (more === undefined || all.spans.length + more.spans.length > MAX_SPANS) return undefined;
    all = { spans: [...all.spans, ...more.spans], count: all.count + more.count };
  }
  return all;
}

function spanOf({ field, test }: Extract<Filter, { readonly op: "test" }>): Span | undefined {
  if (field.kind === "computed") return undefined;
  if (field.kind !== "links") return spanOfTest(field, test);
  return test.is === "key" ? { field, linkedWith: test.key } : undefined;
}

function counted({ read, realm }: Search, span: Span, bound: number): Candidates | undefined {
  if (isImpossible(span)) return { spans: [], count: 0 };
  const { from, where } = sourceOf(span, realm);
  const some = bound === Infinity ? raw("") : sql`LIMIT ${bound + 1}`;
  const [count = 0] = read.first<[number]>(
    sql`SELECT count(*) FROM (SELECT 1 FROM ${from} WHERE ${where} ${some})`,
  ) ?? [];
  return count > bound ? undefined : { spans: [span], count };
}

/** Adds the first rows of a stage that are among the candidates. */
export function gather(search: Search, stage: Stage, spans: readonly Span[]): void {
  if (spans.length === 0) return;
  const { compare, limit, places } = search;
  const room = limit - places.length;
  const found = takeFirst(candidates(search, stage, spans), { compare, room });
  places.push(...found);
}

type Found = readonly [id: string, ...keys: SortKey[]];

function* candidates(search: Search, stage: Stage, spans: readonly Span[]): Generator<Place> {
  const { after } = stage;
  for (const [id, ...keys] of search.read.each<Found>(gatherSql(search, stage, spans))) {
    const place = { keys, id };
    if (after === undefined || isBehind(search, after, place)) yield place;
  }
}

function gatherSql(search: Search, stage: Stage, spans: readonly Span[]): Sql {
  const { realm, sorts } = search;
  const row = { realm, id: raw("c.id") };
  const parts = spans.map((span) => {
    const { id, from, where } = sourceOf(span, realm);
    return sql`SELECT ${raw(spans.length === 1 ? "DISTINCT" : "")} ${id} AS id
      FROM ${from} WHERE ${where}`;
  });
  return sql`
    SELECT ${join([row.id, ...sorts.map(({ field }) => firstValue(field, row))], ", ")}
    FROM (${join(parts, " UNION ")}) c
    CROSS JOIN nodes n ON n.workspace_id = ${realm.workspace} AND n.id = c.id
    WHERE ${isAskedFor(realm)} AND ${conditionsOf(search, stage, row)}`;
}

type Row = Parameters<typeof judge>[1];

/** Whether a row is of the stage. */
export function conditionsOf({ sorts }: Search, { filter, fixed }: Stage, row: Row): Sql {
  const firsts = fixed.flatMap((key, index) => {
    const field = sorts[index]?.field;
    return field === undefined ? [] : [judgeFirst(field, key, row)];
  });
  const asked = filter === undefined ? [] : [judge(filter, row)];
  return combine([...asked, ...firsts], "AND");
}
