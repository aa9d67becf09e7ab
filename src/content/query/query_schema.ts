/**
 * The schema that a query is resolved against: properties of the queried database by name or id.
 *
 * @module
 */
import type { Property, PropertyOf } from "../schema/property.ts";

/** The result type of a formula or rollup. */
export type ComputedKind = "string" | "number" | "boolean" | "date" | "array";

export interface QuerySchema {
  /** The property with this name or id. */
  find(nameOrId: string): Property | undefined;
  /** The result type of a formula or rollup; undefined if it can no longer be computed. */
  kindOf(property: PropertyOf<"formula"> | PropertyOf<"rollup">): ComputedKind | undefined;
  /** The property of the related database whose values a rollup collects. */
  target(property: PropertyOf<"rollup">): Property | undefined;
  /** Milliseconds since the epoch; relative dates count from here. */
  readonly now: number;
}
