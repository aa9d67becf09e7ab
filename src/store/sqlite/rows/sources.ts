/**
 * What spans are in SQL. Each names its index, so that no other way is taken.
 *
 * @module
 */
import { intersect, type Range } from "../../../content/query/ranges.ts";
import { inRange } from "./in_range.ts";
import type { IndexedField, Lane, LinksField, Span, ValueSpan } from "./spans.ts";
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

/** The table and conditions of a span. */
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
    ...OTHER_LANES[lane],
    ...inRange(value, intersect(LEAST[lane], range)),
    ...inRange(id, ids),
  ];
  return {
    from: raw("cells d INDEXED BY cells_by_value"),
    where: join(conditions, " AND "),
    id,
    value,
  };
}

// SQLite seeks by a least value, not by `IS NOT NULL`, and by one bound at each end alone.
const LEAST: Readonly<Record<Lane, Range>> = {
  empty: {},
  number: { from: { value: -Number.MAX_VALUE, excluded: false } },
  key: { from: { value: "", excluded: false } },
};

const OTHER_LANES: Readonly<Record<Lane, readonly Sql[]>> = {
  empty: [raw("d.number IS NULL"), raw("d.key IS NULL")],
  number: [],
  key: [raw("d.number IS NULL")],
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
    raw("n.parent_kind = 'database' AND n.kind = 'page'"),
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
export function isAskedFor(realm: Realm): Sql {
  return sql`+n.parent_id = ${realm.databaseId} AND +n.parent_kind = 'database'
    AND n.kind = 'page' AND ${isInState(realm)}`;
}

/** Whether a node is in the trash, or is not, as it is asked for. */
export function isInState({ inTrash }: Realm): Sql {
  return raw(inTrash ? "+n.trash_root IS NOT NULL" : "+n.trash_root IS NULL");
}
