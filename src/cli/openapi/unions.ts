/**
 * Unions in the form that every client generator reads: `oneOf` if no value matches two members, with
 * a discriminator if one property tells the members apart.
 *
 * @module
 */
import type { JsonObject } from "./json.ts";
import { listed, mapSchema, membersOf, requiredOf } from "./walk.ts";

/** Rewrites the unions of a schema. `components` are the targets of its references. */
export function withExactUnions(schema: JsonObject, components: JsonObject): JsonObject {
  return mapSchema(schema, (inner) => withDiscriminator(withOneOf(inner, components), components));
}

function withOneOf(schema: JsonObject, components: JsonObject): JsonObject {
  const { anyOf: _, ...rest } = schema;
  const members = listed(schema, "anyOf");
  // For one schema or null, generators expect `anyOf`.
  if (members.filter(({ type }) => type !== "null").length < 2) return schema;
  const isExact = members.every((one, index) =>
    members.slice(index + 1).every((other) => areDisjoint(one, other, components))
  );
  return isExact ? { ...rest, oneOf: members } : schema;
}

/** True if no value can match both. False if that cannot be decided. */
function areDisjoint(one: JsonObject, other: JsonObject, components: JsonObject): boolean {
  const [a, b] = [resolve(one, components), resolve(other, components)];
  const [inA, inB] = [choicesOf(a), choicesOf(b)];
  if (inA.length > 0) return inA.every((member) => areDisjoint(member, b, components));
  if (inB.length > 0) return inB.every((member) => areDisjoint(a, member, components));
  if (a["type"] === undefined || b["type"] === undefined) return false;
  if (![a["type"]].flat().some((type) => [b["type"]].flat().includes(type))) return true;
  return a["type"] === "object" && b["type"] === "object" && (refuses(a, b) || refuses(b, a));
}

/** True if each object that matches `a` has a member that `b` excludes, or requires to have another value. */
function refuses(a: JsonObject, b: JsonObject): boolean {
  const [inA, inB] = [membersOf(a), membersOf(b)];
  return requiredOf(a).some((name) => {
    const value = inB.get(name);
    if (value === undefined) return b["additionalProperties"] === false;
    const [wanted, taken] = [valuesOf(inA.get(name)), valuesOf(value)];
    return wanted.length > 0 && taken.length > 0 && !wanted.some((one) => taken.includes(one));
  });
}

/**
 * Adds a discriminator that maps each value to the full path of its component. Without a mapping, or
 * with bare names, generators make types that match nothing.
 */
function withDiscriminator(schema: JsonObject, components: JsonObject): JsonObject {
  const members = listed(schema, "oneOf");
  if (members.length === 0 || members.some(({ $ref }) => $ref === undefined)) return schema;
  const tables = members.map((member) => constantsOf(member, components));
  const propertyName = [...tables[0]?.keys() ?? []].find((name) => isDiscriminator(name, tables));
  if (propertyName === undefined) return schema;
  const mapping = members.flatMap(({ $ref }, index) =>
    (tables[index]?.get(propertyName) ?? []).map((value) => [String(value), $ref])
  );
  return { ...schema, discriminator: { propertyName, mapping: Object.fromEntries(mapping) } };
}

type Constants = ReadonlyMap<string, readonly unknown[]>;

function isDiscriminator(name: string, tables: readonly Constants[]): boolean {
  const values = tables.map((table) => table.get(name) ?? []);
  const all = values.flat();
  return values.every((one) => one.length > 0) && new Set(all).size === all.length;
}

/** Returns the constant strings that each object of a schema has, by name of the member. */
function constantsOf(schema: JsonObject, components: JsonObject): Constants {
  const found = resolve(schema, components);
  const tables = choicesOf(found).map((choice) => constantsOf(choice, components));
  if (tables.length > 0) {
    const names = [...tables[0]?.keys() ?? []].filter((name) => isDiscriminator(name, tables));
    return new Map(names.map((name) => [name, tables.flatMap((table) => table.get(name) ?? [])]));
  }
  const members = membersOf(found);
  return new Map(
    requiredOf(found).map((name) => [name, valuesOf(members.get(name))] as const)
      .filter(([, values]) => values.length > 0),
  );
}

function choicesOf(schema: JsonObject): readonly JsonObject[] {
  return [...listed(schema, "oneOf"), ...listed(schema, "anyOf")];
}

function valuesOf(schema: JsonObject | undefined): readonly unknown[] {
  const values = schema?.["enum"] ?? (schema?.["const"] === undefined ? [] : [schema["const"]]);
  return Array.isArray(values) ? values.filter((value) => typeof value === "string") : [];
}

const PREFIX = "#/components/schemas/";

/** Returns the target of a reference, or the schema itself if it is not a reference. */
function resolve(schema: JsonObject, components: JsonObject): JsonObject {
  const { $ref } = schema;
  if (typeof $ref !== "string") return schema;
  // Sound because the converter only refers to components.
  return resolve(components[$ref.slice(PREFIX.length)] as JsonObject, components);
}
