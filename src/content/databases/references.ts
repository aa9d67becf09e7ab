/**
 * What rollups and formulas name: found by name when they are written, kept by id.
 *
 * @module
 */
import type { ValidationIssue } from "../../shared/errors.ts";
import { pointerTo } from "../../shared/validation_issue.ts";
import { shownExpression } from "../formulas/references.ts";
import { createComputing, isComputed } from "./computed.ts";
import type { Related } from "../schema/database.ts";
import type { SchemaDrafting } from "./draft.ts";
import { resolveRollup } from "./rollup_config.ts";
import type { Property, PropertyOf, Schema } from "../schema/property.ts";

/** A formula's expression with the names of its properties, as clients read it. */
export function shownFormula(
  { expression }: Pick<PropertyOf<"formula">, "expression">,
  schema: Schema,
  related: Related,
): string {
  return shownExpression(expression, ({ databaseId, propertyId }) => {
    const of = databaseId === undefined ? schema : related.get(databaseId)?.doc.properties;
    return of?.find(({ id }) => id === propertyId)?.name;
  });
}

/** Finds what rollups and formulas name, now that every property has its name. */
export function resolveReferences(work: SchemaDrafting, related: Related): void {
  const { before, planned, tables, issues, written } = work;
  for (const { property, entry } of planned) {
    if (entry === undefined) continue;
    const { rollup, formula } = entry.input;
    if (property.type === "rollup" && rollup !== undefined) {
      const pointer = pointerTo(entry.pointer, "rollup");
      tables.put(tables.id, resolveRollup(property, rollup, { tables, pointer, issues }));
    }
    if (property.type === "formula" && formula?.expression !== undefined) {
      const { expression } = formula;
      // What was read may be written back, even where it names what is gone.
      const isShown = entry.current?.type === "formula" &&
        expression === shownFormula(entry.current, before, related);
      if (isShown) continue;
      tables.put(tables.id, { ...property, expression });
      written.add(property.id);
    }
  }
}

/**
 * Puts each formula in the form that it is kept in. What is wrong with a formula or rollup is a fault
 * where it is not what it was: one that lost what it named stays, and gives nothing.
 */
export function computedIssues(
  { before, planned, tables, written }: SchemaDrafting,
): ValidationIssue[] {
  const old = new Map(before.map((property) => [property.id, property]));
  const computing = createComputing(
    tables.schema,
    (databaseId, id) => databaseId === tables.id && written.has(id),
  );
  return planned.flatMap(({ property: { id }, entry }) => {
    const property = tables.property(tables.id, id);
    if (entry === undefined || property === undefined || !isComputed(property)) return [];
    if (!isComplete(property) || isUnchanged(property, old.get(id))) return [];
    const { problems, formula } = computing(tables.id, property);
    if (property.type === "formula" && formula !== undefined) {
      tables.put(tables.id, { ...property, expression: formula.stored });
      written.delete(id);
    }
    const pointer = pointerTo(entry.pointer, property.type);
    return problems.map(({ member, detail }) => ({
      pointer: member === "" ? pointer : pointerTo(pointer, member),
      detail,
    }));
  });
}

/** Whether all that a rollup names was found. */
function isComplete(property: Property): boolean {
  return property.type !== "rollup" ||
    ![property.relationPropertyId, property.rollupPropertyId, property.function].includes("");
}

function isUnchanged(property: Property, old: Property | undefined): boolean {
  if (property.type === "formula") {
    return old?.type === "formula" && old.expression === property.expression;
  }
  return property.type === "rollup" && old?.type === "rollup" &&
    old.function === property.function &&
    old.relationPropertyId === property.relationPropertyId &&
    old.rollupPropertyId === property.rollupPropertyId;
}
