/**
 * The schema of a database as it is kept: its properties, in the order they were made.
 *
 * @module
 */
import type { OptionColor } from "../values/colors.ts";

/** Types whose configuration is empty. */
export const PLAIN_TYPES = [
  "title",
  "rich_text",
  "date",
  "people",
  "files",
  "checkbox",
  "url",
  "email",
  "phone_number",
  "created_time",
  "created_by",
  "last_edited_time",
  "last_edited_by",
  "button",
  "verification",
] as const;

/** Types with a configuration of their own. */
export const CONFIGURED_TYPES = [
  "number",
  "select",
  "multi_select",
  "status",
  "formula",
  "relation",
  "rollup",
  "unique_id",
] as const;

type PlainType = (typeof PLAIN_TYPES)[number];
export type PropertyType = PlainType | (typeof CONFIGURED_TYPES)[number];

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

/** Which end of a relation's links a property shows: a dual relation is one set of links seen from both. */
export type LinkSide = "from" | "to";

type Config =
  | { readonly [T in PlainType]: { readonly type: T } }[PlainType]
  | { readonly type: "number"; readonly format: string }
  | { readonly type: "select"; readonly options: readonly Option[] }
  | { readonly type: "multi_select"; readonly options: readonly Option[] }
  | {
    readonly type: "status";
    readonly options: readonly Option[];
    readonly groups: readonly OptionGroup[];
  }
  /** The expression names properties by id, so that a rename does not touch it. */
  | { readonly type: "formula"; readonly expression: string }
  | {
    readonly type: "relation";
    /** The related database. */
    readonly databaseId: string;
    /** The set of links, the same on both sides of a dual relation. */
    readonly relationId: string;
    readonly side: LinkSide;
    /** Property of the related database that shows the other side; null of a single relation. */
    readonly syncedId: string | null;
  }
  | {
    readonly type: "rollup";
    /** Id of the property of this database that is the relation. */
    readonly relationPropertyId: string;
    /** Id of the property of the related database that is rolled up. */
    readonly rollupPropertyId: string;
    readonly function: string;
  }
  | { readonly type: "unique_id"; readonly prefix: string | null };

export type Property = Config & {
  /** `[A-Za-z0-9_]`, unique in its database and never used again; of the title `title`. */
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
};

/** A property of one type. */
export type PropertyOf<T extends PropertyType> = Extract<Property, { readonly type: T }>;

/** All properties of a database; exactly one is the title. */
export type Schema = readonly Property[];
