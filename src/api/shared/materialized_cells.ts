/**
 * The cells of formulas whose values are materialized.
 *
 * @module
 */
import { createEvaluation } from "../../content/databases/evaluation.ts";
import { materializedId } from "../../content/databases/materialized_formulas.ts";
import { createReplyBudget } from "../../content/formulas/compute_budget.ts";
import { parseRowDoc, type RowDoc } from "../../content/pages/rows.ts";
import { formulaCells } from "../../content/properties/types/formula.ts";
import { type Cell, EMPTY, type PropertyCell } from "../../content/schema/cells.ts";
import type { Node } from "../../content/schema/node.ts";
import type { Property } from "../../content/schema/property.ts";
import type { Rest } from "../../shared/yield_to_event_loop.ts";
import type { Database } from "./database_cache.ts";

/** The cells that a row has besides those of stored properties, with rests between them. */
export async function materializedCells(
  database: Database,
  node: Node,
  rest: Rest,
): Promise<PropertyCell[]> {
  const { materialized = [], properties } = database.doc;
  const kept = materialized.filter(({ state }) => state !== "dropped");
  if (kept.length === 0) return [];
  const row: MaterializedRow = { node, values: parseRowDoc(node.doc).values };
  const cells: PropertyCell[] = [];
  for (const { propertyId } of kept) {
    await rest();
    const property = properties.find(({ id }) => id === propertyId);
    if (property === undefined) continue;
    const cell = materializedCell(database, row, property);
    cells.push({ propertyId: materializedId(propertyId), ordinal: 0, ...cell });
  }
  return cells;
}

/** A row and the values of its document. */
export interface MaterializedRow {
  readonly node: Node;
  readonly values: RowDoc["values"];
}

/** The cell of a formula that reads nothing but its row. */
export function materializedCell(
  database: Database,
  { node, values }: MaterializedRow,
  property: Property,
): Cell {
  const evaluation = createEvaluation({
    rows: new Map(),
    users: new Map(),
    schemaOf: (id) => id === database.node.id ? database.doc.properties : [],
    compile: database.compile,
    computed: [],
    // The budget is for this value alone, which must not depend on what else is computed.
    budget: createReplyBudget(),
    // Formulas that read the clock are not materialized.
    now: 0,
  });
  const row = { databaseId: database.node.id, node, values, links: undefined };
  const value = evaluation.valueOf(row, property);
  const [cell = EMPTY] = value.type === "formula" ? formulaCells(value.formula) : [];
  return { ...cell, text: null };
}
