/**
 * What the names in a query mean: the properties of the database that is asked.
 *
 * @module
 */
import type { Property, PropertyOf } from "../schema/property.ts";

/** What the value of a formula or rollup is. */
export type ComputedKind = "string" | "number" | "boolean" | "date" | "array";

export interface QuerySchema {
  /** The property of this name or id. */
  find(nameOrId: string): Property | undefined;
  /** What a formula or rollup of this database gives; undefined where it gives nothing any more. */
  kindOf(property: PropertyOf<"formula"> | PropertyOf<"rollup">): ComputedKind | undefined;
  /** The property of the related database whose values a rollup collects. */
  target(property: PropertyOf<"rollup">): Property | undefined;
  /** Milliseconds since the epoch: relative dates count from here. */
  readonly now: number;
}
