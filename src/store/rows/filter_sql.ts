/**
 * Filters as SQL conditions on one row.
 *
 * @module
 */
import type { Field, Filter, LinksField, SortKey, Test } from "../../content/query/filter.ts";
import { rangeOf } from "../../content/query/ranges.ts";
import type { Dialect } from "./dialect.ts";
import { inRange } from "./in_range.ts";
import { MEMBER_COLUMNS, type RowSet } from "./sources.ts";
import { valueClassOf } from "./index_ranges.ts";
import type { RowSearch, SortPrefix } from "./sort_prefix.ts";
import { always, combine, join, raw, type Sql, sql } from "./sql.ts";

/** The row that the conditions are about: the column of its ID, and its node as `n`. */
export interface RowColumns {
  readonly dialect: Pick<Dialect, "filtered" | "inState" | "hasKey" | "cellText" | "contains">;
  readonly rowSet: RowSet;
  readonly id: Sql;
}

type FieldOf<Kind extends Field["kind"]> = Extract<Field, { readonly kind: Kind }>;
type TestThat<Is extends Test["is"]> = Extract<Test, { readonly is: Is }>;

/** Accepts exactly the rows that `matches()` accepts. */
export function filterSql(filter: Filter, row: RowColumns): Sql {
  switch (filter.op) {
    case "and":
      return combine(filter.filters.map((part) => filterSql(part, row)), "AND");
    case "or":
      return combine(anyFilterSql(filter.filters, row), "OR");
    case "not":
      return sql`NOT (${filterSql(filter.filter, row)})`;
    case "test":
      return testSql(filter.field, filter.test, row);
    case "items":
      throw new Error("A store cannot filter by computed items");
  }
}

/** Tests all cell conditions of an `or` in one subquery instead of one for each. */
function anyFilterSql(parts: readonly Filter[], row: RowColumns): Sql[] {
  const ofCells = parts.flatMap((part) => toCellTest(part) ?? []);
  if (ofCells.length < 2) return parts.map((part) => filterSql(part, row));
  const others = parts.filter((part) => toCellTest(part) === undefined);
  return [anyCell(ofCells, row), ...others.map((part) => filterSql(part, row))];
}

interface CellTest {
  readonly propertyId: string;
  readonly test: TestThat<"text" | "between">;
}

/** A condition on any cell of a row. Keys are left out, because `hasKey` uses an index for them. */
function toCellTest(filter: Filter): CellTest | undefined {
  if (filter.op !== "test" || filter.field.kind !== "cells") return undefined;
  const { field: { propertyId }, test } = filter;
  return test.is === "text" || test.is === "between" ? { propertyId, test } : undefined;
}

function anyCell(tests: readonly CellTest[], row: RowColumns): Sql {
  const ids = tests.map(({ propertyId }) => propertyId).sort();
  const conditions = tests.map(({ propertyId, test }) =>
    sql`(${row.dialect.filtered("f.property_id")} = ${propertyId} AND ${cellTest(test, row)})`
  );
  return exists(sql`FROM cells f
    WHERE f.workspace_id = ${row.rowSet.workspace} AND f.node_id = ${row.id}
      AND f.property_id BETWEEN ${ids.at(0) ?? ""} AND ${ids.at(-1) ?? ""}
      AND ${combine(conditions, "OR")}`);
}

function testSql(field: Field, test: Test, row: RowColumns): Sql {
  switch (field.kind) {
    case "cells":
      return cellsSql(field, test, row);
    case "row":
      return memberSql(field, test, row);
    case "links":
      return linksSql(field, test, row);
    case "computed":
      throw new Error("A store cannot filter by a computed property");
  }
}

function cellsSql({ propertyId }: FieldOf<"cells">, test: Test, row: RowColumns): Sql {
  if (test.is === "empty") {
    const filled = raw("(f.number IS NOT NULL OR f.key IS NOT NULL)");
    return sql`NOT (${someCell(propertyId, filled, row)})`;
  }
  return test.is === "key"
    ? row.dialect.hasKey({ propertyId, key: test.key, isFirst: false }, row)
    : someCell(propertyId, cellTest(test, row), row);
}

/** Like `EXISTS`, which a database would rewrite as a join after the join with the node. */
export function exists(rows: Sql): Sql {
  return sql`(SELECT 1 ${rows} LIMIT 1) IS NOT NULL`;
}

/** Returns whether a row has a cell `f` of this property that meets the condition. */
export function someCell(propertyId: string, condition: Sql, { rowSet, id }: RowColumns): Sql {
  return exists(sql`FROM cells f
    WHERE f.workspace_id = ${rowSet.workspace} AND f.node_id = ${id}
      AND f.property_id = ${propertyId} AND ${condition}`);
}

/** A condition on the cell `f`. */
function cellTest(test: TestThat<"text" | "between">, { dialect }: RowColumns): Sql {
  return test.is === "text"
    ? textTest(test, dialect)
    : numberTest(dialect.filtered("f.number"), test);
}

function numberTest(column: Sql, test: TestThat<"between">): Sql {
  const bounds = inRange(column, rangeOf(test));
  return bounds.length === 0 ? sql`${column} IS NOT NULL` : join(bounds, " AND ");
}

function textTest(
  { how, text }: TestThat<"text">,
  { cellText, contains }: RowColumns["dialect"],
): Sql {
  if (text === "" && how !== "equals") return raw("f.text IS NOT NULL");
  switch (how) {
    case "equals":
      return sql`${cellText} = ${text}`;
    case "contains":
      return contains(cellText, text);
    case "starts":
      return sql`substr(${cellText}, 1, length(${text})) = ${text}`;
    case "ends":
      return sql`substr(${cellText}, length(${cellText}) - length(${text}) + 1) = ${text}`;
  }
}

function memberSql({ member }: FieldOf<"row">, test: Test, { dialect }: RowColumns): Sql {
  const column = dialect.filtered(`n.${MEMBER_COLUMNS[member]}`);
  const valueClass = valueClassOf(member);
  if (test.is === "between" && valueClass === "number") return sql`(${numberTest(column, test)})`;
  if (test.is === "key" && valueClass === "key") return sql`(${column} = ${test.key})`;
  return always(false);
}

function linksSql(field: LinksField, test: Test, row: RowColumns): Sql {
  const { relationId, side } = field;
  const { rowSet, id } = row;
  if (test.is !== "empty" && test.is !== "key") return always(false);
  const [mine, theirs] = side === "from" ? ["k.from_id", "k.to_id"] : ["k.to_id", "k.from_id"];
  const other = test.is === "key" ? sql`AND ${raw(theirs)} = ${test.key}` : raw("");
  const linked = exists(sql`FROM links k ${otherEnds(field)}
    WHERE k.workspace_id = ${rowSet.workspace} AND k.relation_id = ${relationId}
      AND ${raw(mine)} = ${id} ${other} ${isShown(field, "k", theirs, row)}`);
  return test.is === "empty" ? sql`NOT (${linked})` : linked;
}

/** Returns whether the first value of a field equals this key. */
export function firstValueSql(field: Field, key: SortKey, row: RowColumns): Sql {
  switch (field.kind) {
    case "cells":
      return firstCellSql(field, key, row);
    case "row":
      return memberSql(field, testOf(key), row);
    case "links":
      if (typeof key === "number") return always(false);
      return key === null
        ? linksSql(field, { is: "empty" }, row)
        : sql`(${firstLink(field, row)} = ${key})`;
    case "computed":
      throw new Error("A store cannot sort by a computed property");
  }
}

function firstCellSql({ propertyId }: FieldOf<"cells">, key: SortKey, row: RowColumns): Sql {
  if (typeof key === "string") return row.dialect.hasKey({ propertyId, key, isFirst: true }, row);
  const first = raw("f.ordinal = 0");
  if (key === null) {
    const filled = sql`${first} AND (f.number IS NOT NULL OR f.key IS NOT NULL)`;
    return sql`NOT (${someCell(propertyId, filled, row)})`;
  }
  return someCell(propertyId, sql`${first} AND ${row.dialect.filtered("f.number")} = ${key}`, row);
}

function testOf(key: SortKey): Test {
  if (key === null) return { is: "empty" };
  return typeof key === "number" ? { is: "between", from: key, to: key } : { is: "key", key };
}

/** The table of the rows at the other end of links, if it matters which of them are in the trash. */
function otherEnds({ withTrash }: LinksField): Sql {
  return raw(withTrash ? "" : "CROSS JOIN nodes o");
}

/** The condition that a link leads outside the trash, if it matters. */
function isShown(
  { withTrash }: LinksField,
  link: string,
  other: string,
  { dialect }: RowColumns,
): Sql {
  const lives = dialect.inState(raw("o.trash_root"), false);
  return withTrash
    ? raw("")
    : sql`AND ${raw(`o.workspace_id = ${link}.workspace_id AND o.id = ${other}`)} AND ${lives}`;
}

/** The row at the other end of the first link that the field shows. */
export function firstLink(field: LinksField, row: RowColumns): Sql {
  const { relationId, side } = field;
  const { rowSet, id } = row;
  const [mine, theirs] = side === "from" ? ["s.from_id", "s.to_id"] : ["s.to_id", "s.from_id"];
  return sql`(
    SELECT ${raw(theirs)} FROM links s ${otherEnds(field)}
    WHERE s.workspace_id = ${rowSet.workspace} AND s.relation_id = ${relationId}
      AND ${raw(mine)} = ${id} ${isShown(field, "s", theirs, row)}
    ORDER BY ${raw(side === "from" ? "s.ordinal, s.to_id" : "s.from_id")} LIMIT 1
  )`;
}

/** Writing a filter of a thousand conditions as SQL takes longer than running it on a few rows. */
function cachedFilterSql({ filtered }: RowSearch, filter: Filter, row: RowColumns): Sql {
  const byId = filtered.get(filter) ?? new Map<string, Sql>();
  filtered.set(filter, byId);
  const cached = byId.get(row.id.text) ?? filterSql(filter, row);
  byId.set(row.id.text, cached);
  return cached;
}

/** Returns whether a row belongs to the sort prefix and passes its filter. */
export function conditionsOf(
  search: RowSearch,
  { filter, fixed }: SortPrefix,
  row: RowColumns,
): Sql {
  const { sorts } = search;
  const firsts = fixed.flatMap((key, index) => {
    const field = sorts[index]?.field;
    return field === undefined ? [] : [firstValueSql(field, key, row)];
  });
  const filters = filter === undefined ? [] : [cachedFilterSql(search, filter, row)];
  return combine([...filters, ...firsts], "AND");
}
