/**
 * The stored schema of a database: its properties in the order of their creation.
 *
 * @module
 */
import type { PropertyKinds } from "../properties/registry.ts";
import type { OptionColor } from "../values/colors.ts";

export interface Option {
  readonly id: string;
  readonly name: string;
  readonly color: OptionColor;
  readonly description: string | null;
}

/** One of the three groups of a status: its options in order. */
export interface OptionGroup {
  readonly id: string;
  readonly name: string;
  readonly color: OptionColor;
  readonly option_ids: readonly string[];
}

/**
 * The side of its links that a relation shows. A dual relation shows one set of links on both
 * sides.
 */
export type LinkSide = "from" | "to";

/** The members that all properties have. */
export interface PropertyCommon {
  /** `[A-Za-z0-9_]`, unique in its database and never reused; `title` for the title. */
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
}

/** The configuration of a relation. */
export interface RelationConfig {
  /** The related database. */
  readonly databaseId: string;
  /** Id of the set of links, the same on both sides of a dual relation. */
  readonly relationId: string;
  readonly side: LinkSide;
  /** Property of the related database that shows the other side; null for a single relation. */
  readonly syncedId: string | null;
}

export interface RollupConfig {
  /** Id of the property of this database that is the relation. */
  readonly relationPropertyId: string;
  /** Id of the property of the related database that is rolled up. */
  readonly rollupPropertyId: string;
  readonly function: string;
}

/** The name of a property type: a key of the registry. */
export type PropertyType = keyof PropertyKinds;

/** A property of one type, as the configuration of its kind makes it. */
export type PropertyOf<T extends PropertyType> = T extends PropertyType
  ? PropertyCommon & { readonly type: T } & ReturnType<PropertyKinds[T]["config"]["draft"]>
  : never;

export type Property = PropertyOf<PropertyType>;

/** All properties of a database; exactly one is the title. */
export type Schema = readonly Property[];
