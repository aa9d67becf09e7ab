/**
 * Rows by the filter's indexes: all candidates are judged, and the first in order kept.
 *
 * @module
 */
import type { Place, SortKey } from "../../../content/query/filter.ts";
import type { Candidates } from "./candidates.ts";
import { takeFirst } from "./first.ts";
import { firstValue, judge, type Judged, judgeFirst } from "./judge.ts";
import { isAskedFor, sourceOf } from "./sources.ts";
import type { Span } from "./spans.ts";
import { combine, join, raw, type Sql, sql } from "./sql.ts";
import { isBehind, type Search, type Stage } from "./stage.ts";

/** Adds the first rows of a stage that are among the candidates. */
export function gather(search: Search, stage: Stage, { spans, rest }: Candidates): void {
  if (spans.length === 0) return;
  const { compare, limit, places } = search;
  const found = judged(search, { ...stage, filter: rest }, spans);
  places.push(...takeFirst(found, { compare, room: limit - places.length }));
}

type Found = readonly [id: string, ...keys: SortKey[]];

function* judged(search: Search, stage: Stage, spans: readonly Span[]): Generator<Place> {
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
    return sql`SELECT ${id} AS id FROM ${from} WHERE ${where}`;
  });
  return sql`
    SELECT ${join([row.id, ...sorts.map(({ field }) => firstValue(field, row))], ", ")}
    FROM (SELECT DISTINCT id FROM (${join(parts, " UNION ALL ")})) c
    CROSS JOIN nodes n ON n.workspace_id = ${realm.workspace} AND n.id = c.id
    WHERE ${isAskedFor(realm)} AND ${conditionsOf(search, stage, row)}`;
}

/** Whether a row is of the stage. */
export function conditionsOf({ sorts }: Search, { filter, fixed }: Stage, row: Judged): Sql {
  const firsts = fixed.flatMap((key, index) => {
    const field = sorts[index]?.field;
    return field === undefined ? [] : [judgeFirst(field, key, row)];
  });
  const asked = filter === undefined ? [] : [judge(filter, row)];
  return combine([...asked, ...firsts], "AND");
}
