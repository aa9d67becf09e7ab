/**
 * The types that the values of properties have in formulas.
 *
 * @module
 */
import { BOOLEAN, DATE, type FormulaType, listOf, NUMBER, PERSON, TEXT } from "./types.ts";
import type { Property, PropertyType } from "../schema/property.ts";

type Stored = Exclude<PropertyType, "formula" | "rollup" | "relation">;

const TYPES: Readonly<Record<Stored, FormulaType | undefined>> = {
  title: TEXT,
  rich_text: TEXT,
  number: NUMBER,
  select: TEXT,
  multi_select: listOf(TEXT),
  status: TEXT,
  date: DATE,
  people: listOf(PERSON),
  files: listOf(TEXT),
  checkbox: BOOLEAN,
  url: TEXT,
  email: TEXT,
  phone_number: TEXT,
  created_time: DATE,
  created_by: PERSON,
  last_edited_time: DATE,
  last_edited_by: PERSON,
  // With its prefix: `TASK-7`.
  unique_id: TEXT,
  verification: TEXT,
  button: undefined,
};

type StoredProperty = Extract<Property, { readonly type: Stored | "relation" }>;

/** The type of a property that is not computed; undefined if formulas cannot read it. */
export function formulaTypeOf(property: StoredProperty): FormulaType | undefined {
  if (property.type !== "relation") return TYPES[property.type];
  return listOf({ kind: "page", databaseId: property.databaseId });
}
