/**
 * As much of JSON Schema 2020-12 as the schemas of `policy/` use: slow and obvious.
 *
 * @module
 */
import { assert } from "../assert.ts";

type Schema = Readonly<Record<string, unknown>>;
type Check = (argument: unknown, value: unknown, context: Context) => boolean;

interface Context {
  readonly root: Schema;
  readonly schema: Schema;
}

const KEYWORDS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ["$ref", (ref, value, { root }) => accepts(root, value, resolve(root, String(ref)))],
  ["type", (type, value) => type === typeOf(value) || items(type).includes(typeOf(value))],
  ["allOf", (schemas, value, { root }) => items(schemas).every((one) => accepts(root, value, one))],
  [
    "if",
    (condition, value, { root, schema }) =>
      !accepts(root, value, condition) || accepts(root, value, schema["then"]),
  ],
  ["const", (expected, value) => value === expected],
  ["enum", (options, value) => items(options).includes(value)],
  ["pattern", (pattern, value) => !isText(value) || new RegExp(String(pattern), "u").test(value)],
  ["minLength", (least, value) => !isText(value) || value.length >= Number(least)],
  ["maxItems", (most, value) => !Array.isArray(value) || value.length <= Number(most)],
  ["minItems", (least, value) => !Array.isArray(value) || value.length >= Number(least)],
  ["uniqueItems", (_, value) => !Array.isArray(value) || new Set(value).size === value.length],
  ["items", (item, value, { root }) => items(value).every((one) => accepts(root, one, item))],
  ["anyOf", (options, value, { root }) => items(options).some((one) => accepts(root, value, one))],
  ["not", (schema, value, { root }) => !accepts(root, value, schema)],
  ["required", (names, value) => items(names).every((name) => members(value).has(String(name)))],
  [
    "propertyNames",
    (schema, value, { root }) =>
      [...members(value).keys()].every((name) => accepts(root, name, schema)),
  ],
  [
    "properties",
    (table, value, { root }) =>
      [...members(table)].every(([name, schema]) =>
        !members(value).has(name) || accepts(root, members(value).get(name), schema)
      ),
  ],
  [
    "additionalProperties",
    (rest, value, { root, schema }) =>
      [...members(value)].every(([name, member]) =>
        members(schema["properties"]).has(name) || accepts(root, member, rest)
      ),
  ],
]);

const NOTES: ReadonlySet<string> = new Set([
  "$schema",
  "$comment",
  "$defs",
  "title",
  "description",
  "then",
]);

/** Returns whether a value fits a schema; throws on a keyword that it does not know. */
export function accepts(root: Schema, value: unknown, schema: unknown = root): boolean {
  if (typeof schema === "boolean") return schema;
  const context = { root, schema: Object.fromEntries(members(schema)) };
  return [...members(schema)].filter(([keyword]) => !NOTES.has(keyword)).every(
    ([keyword, argument]) => {
      const check = KEYWORDS.get(keyword);
      assert(check !== undefined, `Unknown keyword ${keyword}`);
      return check(argument, value, context);
    },
  );
}

function resolve(root: Schema, ref: string): unknown {
  const steps = ref.split("/").slice(1);
  return steps.reduce<unknown>((schema, step) => members(schema).get(step), root);
}

function members(value: unknown): Map<string, unknown> {
  return new Map(typeOf(value) === "object" ? Object.entries(Object(value)) : []);
}

function items(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return value === null ? "null" : typeof value;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
