/**
 * The schema that a query is resolved against: properties of the queried database by name or id.
 *
 * @module
 */
import type { Property, PropertyOf } from "../schema/property.ts";
import type { ConditionKey } from "./operators.ts";

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

const TEXT_KEYS = ["rich_text", "text"] as const;

/** The names of the conditions that fit each type of property. */
const KEYS: Readonly<Record<Property["type"], readonly ConditionKey[]>> = {
  title: ["title", ...TEXT_KEYS],
  rich_text: TEXT_KEYS,
  url: ["url", ...TEXT_KEYS],
  email: ["email", ...TEXT_KEYS],
  phone_number: ["phone_number", ...TEXT_KEYS],
  number: ["number"],
  unique_id: ["unique_id", "number"],
  checkbox: ["checkbox"],
  select: ["select"],
  status: ["status", "select"],
  multi_select: ["multi_select"],
  date: ["date"],
  created_time: ["created_time", "date"],
  last_edited_time: ["last_edited_time", "date"],
  people: ["people"],
  created_by: ["created_by", "people"],
  last_edited_by: ["last_edited_by", "people"],
  relation: ["relation"],
  files: ["files"],
  verification: ["verification"],
  formula: [],
  rollup: [],
  button: [],
};

/** Whether a condition of this name fits a property of this type. */
export function fitsCondition(type: Property["type"], key: string): boolean {
  return KEYS[type].some((name) => name === key);
}
