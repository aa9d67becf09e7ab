/**
 * Resolves the properties that rollups and formulas name: clients write names, ids are stored.
 *
 * @module
 */
import type { ValidationIssue } from "../../shared/errors.ts";
import { pointerTo } from "../../shared/validation_issue.ts";
import { shownExpression } from "../formulas/references.ts";
import { compileSteps } from "./compile_steps.ts";
import { createPropertyCompiler, isComputed } from "./property_compiler.ts";
import type { Related } from "../schema/database.ts";
import type { SchemaDrafting } from "./draft_schema.ts";
import { resolveRollup } from "./rollup_config.ts";
import type { Property, PropertyOf, Schema } from "../schema/property.ts";

/** A formula's expression with property names, as clients read it. */
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

/** Resolves the names in rollups and formulas, once every property has its new name. */
export function resolveReferences(drafting: SchemaDrafting, related: Related): void {
  const { before, planned, schemas, issues, written } = drafting;
  for (const { property, entry } of planned) {
    if (entry === undefined) continue;
    const { rollup, formula } = entry.input;
    if (property.type === "rollup" && rollup !== undefined) {
      const pointer = pointerTo(entry.pointer, "rollup");
      schemas.put(schemas.id, resolveRollup(property, rollup, { schemas, pointer, issues }));
    }
    if (property.type === "formula" && formula?.expression !== undefined) {
      const { expression } = formula;
      // Clients may write back the expression that they read, even if it names deleted properties.
      const isShown = entry.current?.type === "formula" &&
        expression === shownFormula(entry.current, before, related);
      if (isShown) continue;
      schemas.put(schemas.id, { ...property, expression });
      written.add(property.id);
    }
  }
}

/**
 * Replaces each formula by its stored form, and returns the issues of changed formulas and rollups.
 * An unchanged one that lost a property it depends on stays, without a result.
 */
export function* computedIssueSteps(
  { before, planned, schemas, written }: SchemaDrafting,
): Generator<void, ValidationIssue[], void> {
  const old = new Map(before.map((property) => [property.id, property]));
  const isWritten = (databaseId: string, id: string) =>
    databaseId === schemas.id && written.has(id);
  const compile = createPropertyCompiler(schemas.schema, isWritten);
  const changed = planned.flatMap(({ property: { id }, entry }) => {
    const property = schemas.property(schemas.id, id);
    if (entry === undefined || property === undefined || !isComputed(property)) return [];
    return !isComplete(property) || isUnchanged(property, old.get(id)) ? [] : [{ property, entry }];
  });
  yield* compileSteps(schemas.id, changed.map(({ property }) => property), {
    compile,
    schemaOf: schemas.schema,
    isWritten,
  });
  return changed.flatMap(({ property, entry }) => {
    const { id } = property;
    const { problems, formula } = compile(schemas.id, property);
    if (property.type === "formula" && formula !== undefined) {
      schemas.put(schemas.id, { ...property, expression: formula.stored });
      written.delete(id);
    }
    const pointer = pointerTo(entry.pointer, property.type);
    return problems.map(({ member, detail }) => ({
      pointer: member === "" ? pointer : pointerTo(pointer, member),
      detail,
    }));
  });
}

/** Returns whether formulas or rollups are new, or compute something else than before. */
export function changesComputed(before: Schema, after: Schema): boolean {
  const old = new Map(before.map((property) => [property.id, property]));
  return after.some((property) =>
    isComputed(property) && !isUnchanged(property, old.get(property.id))
  );
}

/** Returns whether all names in a rollup were resolved. */
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
