/**
 * The values of rows as the API takes them.
 *
 * @module
 */
import { LIMITS } from "../../../content/values/limits.ts";
import type { JsonObject } from "../../transfer/json.ts";
import { parseTarget } from "../links/target.ts";
import { type Cell, cellValue, type Column } from "../tables/column.ts";
import type { Writing } from "./write_plan.ts";

interface Row {
  readonly key: string;
  readonly cells: readonly Cell[];
}

/** All values of a row except its relations and files. Reports those that do not fit. */
export function propertiesOf(
  { report, timeZone }: Pick<Writing, "report" | "timeZone">,
  columns: readonly Column[],
  { key, cells }: Row,
): JsonObject {
  const properties: [string, JsonObject][] = [];
  for (const [index, column] of columns.entries()) {
    const cell = cells[index] ?? "";
    if (column.type === "relation" || column.type === "files") continue;
    try {
      const value = cellValue(column, cell, timeZone);
      if (value !== undefined) properties.push([column.name, { ...value }]);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      report.omit(key, error.message);
    }
  }
  return Object.fromEntries(properties);
}

/** The relations of a row. Reports those that lead nowhere or are too many. */
export function relationsOf(
  { registry, report }: Pick<Writing, "registry" | "report">,
  columns: readonly Column[],
  { key, cells }: Row,
): JsonObject {
  const properties: [string, JsonObject][] = [];
  for (const [index, column] of columns.entries()) {
    const cell = cells[index] ?? "";
    if (column.type !== "relation" || typeof cell === "string") continue;
    const ids = cell.flatMap((url) => {
      const target = parseTarget(url);
      return (target?.kind === "node" ? registry.node(target.key)?.id : undefined) ?? [];
    });
    if (ids.length < cell.length) report.omit(key, `${column.name}: not all related rows exist`);
    if (ids.length > LIMITS.relation) {
      report.omit(
        key,
        `${column.name}: of ${ids.length} related rows, ${LIMITS.relation} are kept`,
      );
    }
    const relation = ids.slice(0, LIMITS.relation).map((id) => ({ id }));
    if (relation.length > 0) properties.push([column.name, { relation }]);
  }
  return Object.fromEntries(properties);
}
