/**
 * Walks JSON Schemas: the schemas inside a schema, and their members.
 *
 * @module
 */
import type { JsonObject } from "./json.ts";

const ONE = ["items", "additionalProperties", "propertyNames"];
const SEVERAL = ["anyOf", "oneOf"];
const BY_NAME = "properties";

/** Changes one schema, after the schemas inside it have been changed. */
export type Change = (schema: JsonObject, path: readonly string[]) => JsonObject;

/**
 * Applies a change to every schema inside a schema and then to the schema itself. `path` has the names
 * of the members on the way.
 */
export function mapSchema(
  schema: JsonObject,
  change: Change,
  path: readonly string[] = [],
): JsonObject {
  const inner = Object.entries(schema).map(([keyword, value]) => [
    keyword,
    mapKeyword(keyword, value, { change, path }),
  ]);
  return change(Object.fromEntries(inner), path);
}

/** True if a value is a schema other than `true` and `false`. */
export function isSchema(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the schemas in the list under a keyword. Empty if there is no list. */
export function listed(schema: JsonObject, keyword: string): readonly JsonObject[] {
  const value = schema[keyword];
  return Array.isArray(value) ? value.filter(isSchema) : [];
}

/** Returns the schema of each member, by name. */
export function membersOf({ properties }: JsonObject): ReadonlyMap<string, JsonObject> {
  if (!isSchema(properties)) return new Map();
  return new Map(
    Object.entries(properties).flatMap(([name, schema]) =>
      isSchema(schema) ? [[name, schema]] : []
    ),
  );
}

/** Returns the names of the required members. */
export function requiredOf({ required }: JsonObject): readonly string[] {
  return Array.isArray(required) ? required.map(String) : [];
}

interface Walk {
  readonly change: Change;
  readonly path: readonly string[];
}

function mapKeyword(keyword: string, value: unknown, { change, path }: Walk): unknown {
  const map = (inner: unknown, name?: string): unknown =>
    isSchema(inner) ? mapSchema(inner, change, name === undefined ? path : [...path, name]) : inner;
  if (ONE.includes(keyword)) return map(value);
  if (SEVERAL.includes(keyword) && Array.isArray(value)) return value.map((one) => map(one));
  if (keyword !== BY_NAME || !isSchema(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, map(inner, name)]),
  );
}
