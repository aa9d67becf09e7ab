/**
 * Rows by a sort's index: one after the other in its order, until the page is full.
 *
 * @module
 */
import type { Place, SortKey } from "../../../content/query/filter.ts";
import { takeFirst } from "./first.ts";
import { conditionsOf } from "./gather.ts";
import { firstValue } from "./judge.ts";
import { isAskedFor, isInState, type Realm, type Source, sourceOf } from "./sources.ts";
import type { ValueSpan } from "./spans.ts";
import { join, raw, type Sql, sql } from "./sql.ts";
import type { Search, Stage } from "./stage.ts";

/** A way through a span. */
export interface Walk {
  readonly span: ValueSpan;
  readonly descending: boolean;
}

/** Adds the first rows of a stage that the walk meets. */
export function walk(search: Search, stage: Stage, way: Walk): void {
  const { compare, limit, places } = search;
  const room = limit - places.length;
  const sortedBy = stage.fixed.length;
  places.push(...takeFirst(steps(search, stage, way, room), { compare, room, sortedBy }));
}

function* steps(search: Search, stage: Stage, way: Walk, room: number): Generator<Place> {
  const statement = walkSql(search, stage, way, room);
  const { fixed } = stage;
  for (const [id, ...keys] of search.read.each<[id: string, ...keys: SortKey[]]>(statement)) {
    yield { keys: [...fixed, ...keys], id };
  }
}

function walkSql(search: Search, stage: Stage, { span, descending }: Walk, room: number): Sql {
  const { realm, sorts } = search;
  const source = sourceOf(span, realm);
  const row = { realm, id: source.id };
  const depth = stage.fixed.length;
  const keys = sorts.slice(depth).map(({ field }, index) =>
    index === 0 ? source.value : firstValue(field, row)
  );
  // With sorts left it is for who takes the rows to say when no other can come before.
  const end = keys.length > 1 ? raw("") : sql`LIMIT ${room}`;
  return sql`
    SELECT ${join([source.id, ...keys], ", ")}
    FROM ${source.from} ${nodeOf(span)}
    WHERE ${source.where} AND ${isRow(span, realm)} AND ${conditionsOf(search, stage, row)}
    ${orderOf(span, source, descending)} ${end}`;
}

/** The row's node, where the index is not of nodes itself. */
function nodeOf({ field }: ValueSpan): Sql {
  if (field.kind === "row") return raw("");
  return raw(`CROSS JOIN nodes n
    ON d.ordinal = 0 AND n.workspace_id = d.workspace_id AND n.id = d.node_id`);
}

function isRow({ field }: ValueSpan, realm: Realm): Sql {
  // The index of a row's members holds nothing but rows: the node itself need not be looked at.
  return field.kind === "row" ? isInState(realm) : isAskedFor(realm);
}

function orderOf({ field }: ValueSpan, { value, id }: Source, descending: boolean): Sql {
  const columns = field.kind === "row" ? [value, id] : [raw("d.number"), raw("d.key"), id];
  const direction = raw(descending ? "DESC" : "ASC");
  return sql`ORDER BY ${join(columns.map((column) => sql`${column} ${direction}`), ", ")}`;
}

/** What the walk meets after so many steps, judged or not; undefined where it ends before. */
export function stepAt(
  { read, realm }: Search,
  { span, descending }: Walk,
  { column, steps }: { readonly column: "value" | "id"; readonly steps: number },
): number | string | undefined {
  const source = sourceOf(span, realm);
  const found = read.first<[number | string]>(sql`
    SELECT ${source[column]} FROM ${source.from} WHERE ${source.where}
    ${orderOf(span, source, descending)} LIMIT 1 OFFSET ${steps - 1}`);
  return found?.[0];
}
