/**
 * The types that the values of properties have in formulas.
 *
 * @module
 */
import type { FormulaReading } from "../properties/property_kind.ts";
import { kindOf } from "../properties/registry.ts";
import type { Property } from "../schema/property.ts";
import { BOOLEAN, DATE, type FormulaType, listOf, NUMBER, PERSON, TEXT } from "./types.ts";

const TYPES: Readonly<Record<FormulaReading<unknown>["type"], FormulaType>> = {
  text: TEXT,
  texts: listOf(TEXT),
  number: NUMBER,
  boolean: BOOLEAN,
  date: DATE,
  person: PERSON,
  people: listOf(PERSON),
};

/** The type of a property that is not computed; undefined if formulas cannot read it. */
export function formulaTypeOf(property: Property): FormulaType | undefined {
  if (property.type === "relation") {
    return listOf({ kind: "page", databaseId: property.databaseId });
  }
  const { formula } = kindOf(property);
  return formula && TYPES[formula.type];
}
