/**
 * The schemas inside a schema, by the keywords that hold them.
 *
 * @module
 */
import type { JsonObject } from "./json.ts";

const ONE = ["items", "additionalProperties", "propertyNames"];
const SEVERAL = ["anyOf", "oneOf"];
const BY_NAME = "properties";

/** Changes one schema, whose inner ones are changed already. */
export type Change = (schema: JsonObject, path: readonly string[]) => JsonObject;

/**
 * A schema with a change made to it and to every schema inside it, from the inside out; `path` names
 * the members on the way.
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

/** Whether a value is a schema; `true` and `false` hold none, so they do not count. */
export function isSchema(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The schemas that a keyword lists; none where it lists none. */
export function listed(schema: JsonObject, keyword: string): readonly JsonObject[] {
  const value = schema[keyword];
  return Array.isArray(value) ? value.filter(isSchema) : [];
}

/** The schema of each member by its name. */
export function membersOf({ properties }: JsonObject): ReadonlyMap<string, JsonObject> {
  if (!isSchema(properties)) return new Map();
  return new Map(
    Object.entries(properties).flatMap(([name, schema]) =>
      isSchema(schema) ? [[name, schema]] : []
    ),
  );
}

/** The names of the members that each object of a schema has. */
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
