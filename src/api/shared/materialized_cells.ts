/**
 * The cells of formulas whose values are materialized.
 *
 * @module
 */
import { createEvaluation } from "../../content/databases/evaluation.ts";
import { materializedId } from "../../content/databases/materialized_formulas.ts";
import { createReplyBudget } from "../../content/formulas/compute_budget.ts";
import { parseRowDoc } from "../../content/pages/rows.ts";
import { formulaCells } from "../../content/properties/types/formula.ts";
import { type Cell, EMPTY, type PropertyCell } from "../../content/schema/cells.ts";
import type { Node } from "../../content/schema/node.ts";
import type { Property } from "../../content/schema/property.ts";
import type { Database } from "./database_cache.ts";

/** The cells that a row has besides those of stored properties. */
export function materializedCells(database: Database, node: Node): PropertyCell[] {
  const { materialized = [], properties } = database.doc;
  return materialized.flatMap(({ propertyId, state }) => {
    const property = properties.find(({ id }) => id === propertyId);
    if (state === "dropped" || property === undefined) return [];
    const cell = materializedCell(database, node, property);
    return [{ propertyId: materializedId(propertyId), ordinal: 0, ...cell }];
  });
}

/** The cell of a formula that reads nothing but its row. */
export function materializedCell(database: Database, node: Node, property: Property): Cell {
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
  const { values } = parseRowDoc(node.doc);
  const row = { databaseId: database.node.id, node, values, links: undefined };
  const value = evaluation.valueOf(row, property);
  const [cell = EMPTY] = value.type === "formula" ? formulaCells(value.formula) : [];
  return { ...cell, text: null };
}
