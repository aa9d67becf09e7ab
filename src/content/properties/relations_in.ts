/**
 * The relations of a schema.
 *
 * @module
 */
import type { PropertyOf, Schema } from "../schema/property.ts";

/** Returns the properties that are relations, in order. */
export function relationsIn(schema: Schema): PropertyOf<"relation">[] {
  return schema.filter((property) => property.type === "relation");
}
