/**
 * What spans are in SQL. Each names its index, so that no other way is taken.
 *
 * @module
 */
import { inRange } from "./ranges.ts";
import type { IndexedField, LinksField, Span, ValueSpan } from "./spans.ts";
import { join, raw, type Sql, sql } from "./sql.ts";

/** Whose rows are asked for, and which. */
export interface Realm {
  readonly workspace: string;
  readonly databaseId: string;
  readonly inTrash: boolean;
}

/** A table and the conditions that hold in the span alone; `id` and `value` are columns of it. */
export interface Source {
  readonly from: Sql;
  readonly where: Sql;
  readonly id: Sql;
  readonly value: Sql;
}

/** The column of each member of a row, and in the name of its index. */
export const MEMBER_COLUMNS = {
  createdTime: "created_time",
  editedTime: "edited_time",
  createdBy: "created_by",
  editedBy: "edited_by",
} as const;

type CellsField = Extract<IndexedField, { readonly kind: "cells" }>;
type RowField = Extract<IndexedField, { readonly kind: "row" }>;

export function sourceOf(span: Span, realm: Realm): Source {
  if (span === "all") return sourceOfAll(realm);
  if ("linkedWith" in span) return sourceOfLinks(span.field, span.linkedWith, realm);
  const { field } = span;
  return field.kind === "row"
    ? sourceOfMember(field, span, realm)
    : sourceOfCells(field, span, realm);
}

function sourceOfCells(
  { propertyId }: CellsField,
  { lane, range, ids = {} }: ValueSpan,
  { workspace, databaseId }: Realm,
): Source {
  const value = raw(lane === "number" ? "d.number" : "d.key");
  const id = raw("d.node_id");
  const conditions = [
    sql`d.workspace_id = ${workspace} AND d.database_id = ${databaseId}`,
    sql`d.property_id = ${propertyId}`,
    ...LANES[lane],
    ...inRange(value, range),
    ...inRange(id, ids),
  ];
  return {
    from: raw("cells d INDEXED BY cells_by_value"),
    where: join(conditions, " AND "),
    id,
    value,
  };
}

// SQLite seeks by a least value, not by `IS NOT NULL`.
const LANES = {
  empty: [raw("d.number IS NULL AND d.key IS NULL")],
  number: [raw("d.number >= -1.7976931348623157e308")],
  key: [raw("d.number IS NULL AND d.key >= ''")],
};

function sourceOfMember(
  { member }: RowField,
  { range, ids = {} }: ValueSpan,
  { workspace, databaseId }: Realm,
): Source {
  const column = MEMBER_COLUMNS[member];
  const value = raw(`n.${column}`);
  const id = raw("n.id");
  const conditions = [
    sql`n.workspace_id = ${workspace} AND n.parent_id = ${databaseId}`,
    raw("n.parent_kind = 'database'"),
    ...inRange(value, range),
    ...inRange(id, ids),
  ];
  return {
    from: raw(`nodes n INDEXED BY rows_by_${column}`),
    where: join(conditions, " AND "),
    id,
    value,
  };
}

function sourceOfLinks(
  { relationId, side }: LinksField,
  other: string,
  { workspace }: Realm,
): Source {
  const [mine, theirs] = side === "from" ? ["l.from_id", "l.to_id"] : ["l.to_id", "l.from_id"];
  const id = raw(mine);
  return {
    from: raw("links l"),
    where: sql`l.workspace_id = ${workspace} AND l.relation_id = ${relationId}
      AND ${raw(theirs)} = ${other}`,
    id,
    value: id,
  };
}

function sourceOfAll({ workspace, databaseId, inTrash }: Realm): Source {
  const id = raw("n.id");
  return {
    from: raw("nodes n INDEXED BY nodes_children"),
    where: sql`n.workspace_id = ${workspace} AND n.parent_id = ${databaseId}
      AND ${raw(inTrash ? "n.trash_root >= ''" : "n.trash_root IS NULL")}`,
    id,
    value: id,
  };
}

/** Whether node `n` is a row that is asked for; the `+` keeps indexes by these columns out. */
export function isAskedFor({ databaseId, inTrash }: Realm): Sql {
  return sql`+n.parent_id = ${databaseId} AND +n.parent_kind = 'database' AND n.kind = 'page'
    AND +n.trash_root IS ${raw(inTrash ? "NOT NULL" : "NULL")}`;
}
