/**
 * A database with a property of every type, and its query schema.
 *
 * @module
 */
import type { Option, Property, Schema } from "../../../src/content/schema/property.ts";
import type { QuerySchema } from "../../../src/content/query/query_schema.ts";

/** A Thursday. */
export const NOW = Date.parse("2026-11-19T10:00:00Z");

const OPTIONS: readonly Option[] = [
  { id: "low", name: "Low", color: "gray", description: null },
  { id: "high", name: "High", color: "red", description: null },
];

const CONFIG: { readonly [T in Property["type"]]?: object } = {
  number: { format: "number" },
  select: { options: OPTIONS },
  multi_select: { options: OPTIONS },
  status: { options: OPTIONS, groups: [] },
  formula: { expression: "1" },
  relation: { databaseId: "other", relationId: "links", side: "from", syncedId: null },
  rollup: { relationPropertyId: "relation", rollupPropertyId: "select", function: "show_original" },
  unique_id: { prefix: null },
};

const TYPES: readonly Property["type"][] = [
  "title",
  "rich_text",
  "url",
  "email",
  "phone_number",
  "number",
  "unique_id",
  "checkbox",
  "select",
  "status",
  "multi_select",
  "date",
  "created_time",
  "last_edited_time",
  "people",
  "created_by",
  "last_edited_by",
  "relation",
  "files",
  "verification",
  "formula",
  "rollup",
  "button",
];

/** Each property is named `The <type>` and has its type as id. */
export const EVERY_TYPE: Schema = TYPES.map((type) =>
  // Sound because CONFIG has a configuration for every type that needs one.
  ({ id: type, name: `The ${type}`, description: null, type, ...CONFIG[type] }) as Property
);

export const SCOPE: QuerySchema = {
  find: (nameOrId) => EVERY_TYPE.find(({ id, name }) => id === nameOrId || name === nameOrId),
  kindOf: ({ type }) => type === "formula" ? "number" : "array",
  target: () => EVERY_TYPE.find(({ id }) => id === "select"),
  now: NOW,
};
