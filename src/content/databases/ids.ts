/**
 * Ids of properties.
 *
 * @module
 */
import type { Schema } from "../schema/property.ts";

/** The id of every title. */
export const TITLE_ID = "title";

/** A new id that no property of the schema has; a new one is drawn until there is one. */
export function unusedId(schema: Schema, newPropertyId: () => string): string {
  for (;;) {
    const id = newPropertyId();
    if (id !== TITLE_ID && schema.every((property) => property.id !== id)) return id;
  }
}
