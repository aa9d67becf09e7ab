/**
 * The values of a row: what an input makes of them.
 *
 * @module
 */
import type { Schema } from "../schema/property.ts";
import { givenValues } from "./given.ts";
import type { PropertiesInput } from "./input.ts";
import { keptOf, type Values } from "./property_type.ts";
import { kindOf } from "./registry.ts";
import { defaultStatus } from "./options.ts";

export interface NewValues {
  /** Who writes. */
  readonly by: string;
  /** The row's number in its database, for its `unique_id`. */
  readonly number?: number | undefined;
}

/**
 * The values of a new row, from an input without faults whose new options the schema has by now. A
 * status that is left out has its default option.
 */
export function newValues(
  schema: Schema,
  input: PropertiesInput,
  { by, number }: NewValues,
): Values {
  const values = pick(schema, (property) => {
    if (property.type === "status") return defaultStatus(property);
    return property.type === "unique_id" ? number : undefined;
  });
  return editValues(schema, input, { by, values });
}

export interface EditedValues {
  /** Who writes. */
  readonly by: string;
  /** The values before. */
  readonly values: Values;
}

/**
 * The values after an input without faults, whose new options the schema has by now: each value
 * given replaces the whole value. Links of relations are apart.
 */
export function editValues(
  schema: Schema,
  input: PropertiesInput,
  { by, values }: EditedValues,
): Values {
  const given = new Map(
    givenValues(schema, input).map(({ property, given }) => [property.id, given]),
  );
  return pick(schema, (property) => {
    const kept = keptOf(values, property);
    if (!given.has(property.id)) return kept;
    return kindOf(property).keep?.(given.get(property.id), property, { by, kept });
  });
}

/** What is kept of each property; empty values and those of properties that are gone are left out. */
export function pick(
  schema: Schema,
  keep: (property: Schema[number]) => unknown,
): Values {
  const entries = schema.map((property) => [property.id, keep(property)] as const);
  return Object.fromEntries(entries.filter(([, kept]) => kept !== undefined));
}
