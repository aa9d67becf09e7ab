/**
 * The texts by which search finds the values of rows.
 *
 * @module
 */
import type { Property, PropertyType } from "../schema/property.ts";
import { kindOf } from "./registry.ts";

/** Returns whether search finds rows by values of this type. */
export function hasTexts(type: PropertyType): boolean {
  return kindOf({ type }).texts !== undefined;
}

/** Returns the texts of a stored value that are not empty; none for `undefined`. */
export function textsOf(stored: unknown, property: Property): readonly string[] {
  if (stored === undefined) return [];
  return kindOf(property).texts?.(stored, property).filter((text) => text !== "") ?? [];
}
