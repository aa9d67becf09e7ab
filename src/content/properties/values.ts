/**
 * The stored values of a row, as an input makes them.
 *
 * @module
 */
import type { Schema } from "../schema/property.ts";
import { givenValues } from "./given.ts";
import type { PropertiesInput } from "./input.ts";
import { storedIn, type Values } from "./property_kind.ts";
import { kindOf } from "./registry.ts";

export interface NewValues {
  /** Who writes. */
  readonly by: string;
  /** The row's number in its database, if that numbers its rows. */
  readonly number?: number | undefined;
}

/**
 * Returns the values of a new row, given a valid input whose new options the schema already has. A
 * status that is left out has its default option.
 */
export function newValues(
  schema: Schema,
  input: PropertiesInput,
  { by, number }: NewValues,
): Values {
  const values = pick(schema, (property) => {
    const kind = kindOf(property);
    return kind.isNumber ? number : kind.initial?.(property);
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
 * Returns the values after a valid input whose new options the schema already has. Each value given
 * replaces the whole value. Links of relations are not among them.
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
    const stored = storedIn(values, property);
    if (!given.has(property.id)) return stored;
    return kindOf(property).toStored?.(given.get(property.id), property, { by, stored });
  });
}

/** Makes the stored values of a schema; empty ones are left out. */
export function pick(
  schema: Schema,
  valueOf: (property: Schema[number]) => unknown,
): Values {
  const entries = schema.map((property) => [property.id, valueOf(property)] as const);
  return Object.fromEntries(entries.filter(([, stored]) => stored !== undefined));
}
