/**
 * The values of a row as responses show them.
 *
 * @module
 */
import { jsonPieces } from "../../shared/json_pieces.ts";
import type { Property, Schema } from "../schema/property.ts";
import { type RowContext, type RowHistory, storedIn, type Values } from "./property_kind.ts";
import { kindOf } from "./registry.ts";
import type { Properties, PropertyValue } from "./read.ts";

/** Returns the value of one property. */
export function answerValue(property: Property, values: Values, row: RowContext): PropertyValue {
  const { id, type } = property;
  const kind = kindOf(property);
  const value = kind.toRead(storedIn(values, property), property, row);
  // Sound because the value was read by the type's own kind.
  return { id, type, ...kind.beside, [type]: value } as PropertyValue;
}

/** Returns the values of a row by name of their property. */
export function answerProperties(schema: Schema, values: Values, row: RowContext): Properties {
  const entries = schema.map((property) => [property.name, answerValue(property, values, row)]);
  return Object.fromEntries(entries);
}

/** Writes the same as JSON text, in the order of the schema, in pieces. */
export type PropertiesWriter = (values: Values, row: RowContext) => Iterable<string>;

// One schema serves many rows, and most of the text is the schema's.
const writers = new WeakMap<Schema, PropertiesWriter>();

/** Returns the writer of rows with this schema, which is made once. */
export function propertiesWriter(schema: Schema): PropertiesWriter {
  const cached = writers.get(schema);
  if (cached !== undefined) return cached;
  const writer = createWriter(schema);
  writers.set(schema, writer);
  return writer;
}

function createWriter(schema: Schema): PropertiesWriter {
  const parts = schema.map((property) => ({
    property,
    kind: kindOf(property),
    head: headOf(property),
  }));
  return function* (values, row) {
    let before = "{";
    for (const { property, kind, head } of parts) {
      yield before + head;
      yield* jsonPieces(kind.toRead(storedIn(values, property), property, row));
      before = "},";
    }
    yield before === "{" ? "{}" : "}}";
  };
}

/** The property's name, and all members of its value that come before the value itself. */
function headOf(property: Property): string {
  const { id, type, name } = property;
  const before = JSON.stringify({ id, type, ...kindOf(property).beside });
  return `${JSON.stringify(name)}:${before.slice(0, -1)},"${type}":`;
}

/** Returns whether the values of rows in a response follow from the rows and their schema alone. */
export function isSelfContained(schema: Schema): boolean {
  return schema.every((property) => kindOf(property).isSelfContained === true);
}

/** Returns the ids of the users that a property of a row shows, in order. */
export function userIdsIn(property: Property, values: Values, row: RowHistory): readonly string[] {
  return kindOf(property).userIds?.(storedIn(values, property), row) ?? [];
}
