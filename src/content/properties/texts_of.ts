/**
 * The texts by which search finds the values of rows.
 *
 * @module
 */
import type { Property } from "../schema/property.ts";
import { kindOf } from "./registry.ts";

/** Returns the texts of a stored value that are not empty; none for `undefined`. */
export function textsOf(stored: unknown, property: Property): readonly string[] {
  if (stored === undefined) return [];
  return kindOf(property).texts?.(stored, property).filter((text) => text !== "") ?? [];
}
