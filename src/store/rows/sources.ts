/**
 * Index ranges in SQL. Each names its index, so that the database uses no other.
 *
 * @module
 */
import { intersect, type Range } from "../../content/query/ranges.ts";
import { MAX_WEIGHTS } from "../../content/schema/collation.ts";
import type { Dialect } from "./dialect.ts";
import { inRange } from "./in_range.ts";
import {
  type IndexedField,
  type IndexRange,
  isContaining,
  isRowList,
  type LinkRange,
  type RowList,
  type ValueClass,
  type ValueRange,
} from "./index_ranges.ts";
import { join, raw, type Sql, sql } from "./sql.ts";

/** The rows of one database, in the trash or outside. */
export interface RowSet {
  readonly workspace: string;
  readonly databaseId: string;
  readonly inTrash: boolean;
}

/** A table and the conditions of an index range; `id` and `value` are columns of it. */
export interface Source {
  readonly from: Sql;
  readonly where: Sql;
  readonly id: Sql;
  readonly value: Sql;
}

/** The column of each member of a row; the names of the indexes contain it, too. */
export const MEMBER_COLUMNS = {
  createdTime: "created_time",
  editedTime: "edited_time",
  createdBy: "created_by",
  editedBy: "edited_by",
} as const;

/** The version of node `n`. */
export const VERSION = raw("n.version");

type CellsField = Extract<IndexedField, { readonly kind: "cells" }>;
type RowField = Extract<IndexedField, { readonly kind: "row" }>;

/** The table and conditions of an index range. */
export function sourceOf(
  indexRange: Exclude<IndexRange, RowList>,
  rowSet: RowSet,
  { indexed, inState }: Pick<Dialect, "indexed" | "inState">,
): Source {
  if (indexRange === "all") {
    return { from: indexed("nodes n", "nodes_children"), ...allIn(rowSet, inState) };
  }
  if ("linkedWith" in indexRange) {
    return indexRange.linkedWith === null
      ? { from: raw("link_counts l"), ...unlinkedIn(indexRange, rowSet) }
      : { from: raw("links l"), ...linksIn(indexRange, rowSet) };
  }
  const { field } = indexRange;
  return field.kind === "row"
    ? {
      from: indexed("nodes n", `rows_by_${MEMBER_COLUMNS[field.member]}`),
      ...membersIn(field, indexRange, rowSet),
    }
    : { from: indexed("cells d", "cells_by_value"), ...cellsIn(field, indexRange, rowSet) };
}

/** Selects the IDs of the rows in an index range. */
export function candidatesIn(
  indexRange: IndexRange,
  rowSet: RowSet,
  dialect: Pick<Dialect, "indexed" | "inState" | "contains" | "listed">,
): Sql {
  if (isRowList(indexRange)) return dialect.listed(indexRange.rowIds);
  const { id, from, where, value } = sourceOf(indexRange, rowSet, dialect);
  const mayContain = isContaining(indexRange)
    ? sql`AND (${dialect.contains(value, indexRange.containing)} OR ${isCutOff(value)})`
    : raw("");
  return sql`SELECT ${id} AS id FROM ${from} WHERE ${where} ${mayContain}`;
}

/** Returns whether weights may be missing in a key. */
export function isCutOff(key: Sql): Sql {
  return sql`length(${key}) >= ${MAX_WEIGHTS}`;
}

type Stretch = Omit<Source, "from">;

function cellsIn(
  { propertyId }: CellsField,
  { valueClass, range, ids = {} }: ValueRange,
  { workspace, databaseId }: RowSet,
): Stretch {
  const value = raw(valueClass === "number" ? "d.number" : "d.key");
  const id = raw("d.node_id");
  const conditions = [
    sql`d.workspace_id = ${workspace} AND d.database_id = ${databaseId}`,
    sql`d.property_id = ${propertyId}`,
    ...OTHER_CLASSES[valueClass],
    ...inRange(value, intersect(LEAST[valueClass], range)),
    ...inRange(id, ids),
  ];
  return {
    where: join(conditions, " AND "),
    id,
    value,
  };
}

// SQLite seeks by a least value, not by `IS NOT NULL`, and uses one bound at each end only.
const LEAST: Readonly<Record<ValueClass, Range>> = {
  empty: {},
  number: { from: { value: -Number.MAX_VALUE, excluded: false } },
  key: { from: { value: "", excluded: false } },
};

const OTHER_CLASSES: Readonly<Record<ValueClass, readonly Sql[]>> = {
  empty: [raw("d.number IS NULL"), raw("d.key IS NULL")],
  number: [],
  key: [raw("d.number IS NULL")],
};

function membersIn(
  { member }: RowField,
  { range, ids = {} }: ValueRange,
  { workspace, databaseId }: RowSet,
): Stretch {
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
    where: join(conditions, " AND "),
    id,
    value,
  };
}

function linksIn(
  { field: { relationId, side }, linkedWith, ids = {} }: LinkRange,
  { workspace }: RowSet,
): Stretch {
  const [mine, theirs] = side === "from" ? ["l.from_id", "l.to_id"] : ["l.to_id", "l.from_id"];
  const id = raw(mine);
  const conditions = [
    sql`l.workspace_id = ${workspace} AND l.relation_id = ${relationId}`,
    sql`${raw(theirs)} = ${linkedWith}`,
    ...inRange(id, ids),
  ];
  return {
    where: join(conditions, " AND "),
    id,
    value: id,
  };
}

function unlinkedIn(
  { field: { relationId, side }, ids = {} }: LinkRange,
  { workspace }: RowSet,
): Stretch {
  const id = raw("l.row_id");
  const conditions = [
    sql`l.workspace_id = ${workspace} AND l.relation_id = ${relationId}`,
    sql`l.side = ${side} AND l.count = 0`,
    ...inRange(id, ids),
  ];
  return { where: join(conditions, " AND "), id, value: id };
}

function allIn(
  { workspace, databaseId, inTrash }: RowSet,
  inState: Dialect["inState"],
): Stretch {
  const id = raw("n.id");
  return {
    where: sql`n.workspace_id = ${workspace} AND n.parent_id = ${databaseId}
      AND ${inState(raw("n.trash_root"), inTrash)}`,
    id,
    value: id,
  };
}

/** The value columns that the index is ordered by, before the ID. */
export function valueColumns(
  { field }: ValueRange | LinkRange,
  { value }: Stretch,
): readonly Sql[] {
  switch (field.kind) {
    case "row":
      return [value];
    case "cells":
      return [raw("d.number"), raw("d.key")];
    case "links":
      return [];
  }
}

/** `ORDER BY` terms in the direction of an index, or in the opposite one. */
export function orderOf(columns: readonly Sql[], descending: boolean): Sql {
  const direction = raw(descending ? "DESC" : "ASC");
  return join(columns.map((column) => sql`${column} ${direction}`), ", ");
}

/** Returns whether node `n` is in the row set. */
export function isInRowSet(
  rowSet: RowSet,
  dialect: Pick<Dialect, "filtered" | "inState">,
): Sql {
  const { filtered } = dialect;
  return sql`${filtered("n.parent_id")} = ${rowSet.databaseId}
    AND ${filtered("n.parent_kind")} = 'database' AND n.kind = 'page' AND ${
    isInState(rowSet, dialect)
  }`;
}

/** Returns whether node `n` is inside or outside the trash, as the row set says. */
export function isInState(
  { inTrash }: RowSet,
  { filtered, inState }: Pick<Dialect, "filtered" | "inState">,
): Sql {
  return inState(filtered("n.trash_root"), inTrash);
}
