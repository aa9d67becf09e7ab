/**
 * Formulas whose values are in cells, like those of stored properties, so that rows are found by an
 * index: which formulas can be, and whether the values are still theirs.
 *
 * @module
 */
import { hash } from "node:crypto";
import type { DatabaseDoc, MaterializedFormula } from "../schema/database.ts";
import type { Property, PropertyOf, PropertyType, Schema } from "../schema/property.ts";
import { createPropertyCompiler, type PropertyCompiler } from "./property_compiler.ts";

/**
 * Types whose values are in the document of the row alone, and change only with it. Not among them:
 * names of users and titles of rows, which others change, and the time of the last edit.
 */
const OWN_TYPES: ReadonlySet<PropertyType> = new Set(
  [
    ...["title", "rich_text", "number", "select", "multi_select", "status", "date"] as const,
    ...["checkbox", "url", "email", "phone_number", "created_time", "unique_id"] as const,
  ] as const,
);

/**
 * Formulas that one value may be computed from, itself included. With more, their work together could
 * exceed the budget of a reply, and the value would depend on what else the reply computes.
 */
const MOST_FORMULAS = 20;

/** The database in the compiler of one schema. */
const OWN = "";

/** The ID of the cells of a materialized formula. No property has it: `=` is not in the IDs of properties. */
export function materializedId(propertyId: string): string {
  return `=${propertyId}`;
}

/**
 * A digest of all that the values of a formula are computed from besides the row; undefined if they
 * depend on more than that: on other rows, names of others, or the clock.
 */
export function definitionOf(schema: Schema, propertyId: string): string | undefined {
  const property = schema.find(({ id }) => id === propertyId);
  if (property?.type !== "formula") return undefined;
  const compile = createPropertyCompiler((id) => id === OWN ? schema : undefined);
  const read = new Set<Property>();
  if (!addRead(property, { schema, compile, read })) return undefined;
  const definitions = [...read].map(({ name: _, description: __, ...definition }) => definition);
  return hash("sha256", JSON.stringify(definitions), "base64url");
}

interface Reading {
  readonly schema: Schema;
  readonly compile: PropertyCompiler;
  /** The formula, and the properties that it reads directly or through other formulas. */
  readonly read: Set<Property>;
}

/** Adds what a formula reads; false if that is more than values of the row. */
function addRead(property: PropertyOf<"formula">, reading: Reading): boolean {
  const { schema, compile, read } = reading;
  if (read.has(property)) return true;
  read.add(property);
  if ([...read].filter(({ type }) => type === "formula").length > MOST_FORMULAS) return false;
  const { formula } = compile(OWN, property);
  if (formula === undefined || formula.usesNow || formula.related.length > 0) return false;
  return formula.propertyIds.every((id) => {
    const one = schema.find((property) => property.id === id);
    if (one?.type === "formula") return addRead(one, reading);
    if (one === undefined || !OWN_TYPES.has(one.type)) return false;
    read.add(one);
    return true;
  });
}

/** The document, in which formulas that have another definition now are dropped. */
export function withValidMaterialized(doc: DatabaseDoc): DatabaseDoc {
  const { materialized, properties } = doc;
  if (materialized === undefined) return doc;
  return {
    ...doc,
    materialized: materialized.map((one) => {
      const isValid = one.state === "dropped" ||
        definitionOf(properties, one.propertyId) === one.definition;
      return isValid ? one : dropped(one);
    }),
  };
}

/** Kept values that are to be deleted. Nobody reads or writes them any more. */
export function dropped(
  { propertyId, definition, release }: MaterializedFormula,
): MaterializedFormula {
  return { propertyId, definition, release, state: "dropped" };
}
