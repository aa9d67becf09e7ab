/**
 * Values drawn from a schema of the document, and values that are one step beside it.
 *
 * @module
 */
import fc from "fast-check";
import type { JsonObject } from "../../src/cli/openapi/json.ts";
import { isSchema, listed, membersOf, requiredOf } from "../../src/cli/openapi/walk.ts";

type Any = fc.Arbitrary<unknown>;

export interface Hints {
  /** Ids of objects that are there, which some drawn ids are. */
  readonly ids: readonly string[];
  /** Names of objects' members that mean something, which some drawn names are. */
  readonly names: readonly string[];
}

/** Deeper than this a union is its plainest member, and a list is short. */
const DEPTH = { maxDepth: 4, depthIdentifier: "document" };
const ID_PATTERN = /^\^\(\?:\[0-9a-fA-F\]\{32\}/;

/** Values that fit a component, by its name. */
export function drawFrom(components: JsonObject, hints: Hints): (name: string) => Any {
  const drawn = fc.letrec((tie) => {
    const draw = createDraw({ components, hints, tie });
    const named = Object.entries(components).flatMap(([name, schema]) =>
      isSchema(schema) ? [[name, draw(schema)] as const] : []
    );
    return Object.fromEntries(named);
  });
  return (name) => drawn[name] ?? fc.constant(undefined);
}

interface Drawing {
  readonly components: JsonObject;
  readonly hints: Hints;
  readonly tie: (name: string) => Any;
}

function createDraw(drawing: Drawing): (schema: JsonObject) => Any {
  const { tie, hints } = drawing;
  const byType: Readonly<Record<string, (schema: JsonObject) => Any>> = {
    string: (schema) => text(schema, hints),
    integer: ({ minimum = -5, maximum = 5 }) =>
      fc.integer({ min: Number(minimum), max: Number(maximum) }),
    number: () => fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })),
    boolean: () => fc.boolean(),
    null: () => fc.constant(null),
    array: ({ items, minItems = 0 }) =>
      fc.array(draw(items as JsonObject), {
        minLength: Number(minItems),
        maxLength: Number(minItems) + 3,
        ...DEPTH,
      }),
    object: (schema) => object(schema, draw, hints),
  };
  function draw(schema: JsonObject): Any {
    const { $ref, const: constant, enum: values, type } = schema;
    if (typeof $ref === "string") return tie($ref.split("/").at(-1) ?? "");
    if (constant !== undefined) return fc.constant(constant);
    if (Array.isArray(values)) return fc.constantFrom(...values);
    const members = [...listed(schema, "oneOf"), ...listed(schema, "anyOf")];
    if (members.length > 0) return fc.oneof(DEPTH, ...plainFirst(members, drawing).map(draw));
    const types = [type].flat().map((one) => byType[String(one)]?.(schema) ?? fc.jsonValue());
    return fc.oneof(...types);
  }
  return draw;
}

function text({ pattern, minLength = 0, maxLength = 12 }: JsonObject, { ids }: Hints): Any {
  const bounds = { minLength: Number(minLength), maxLength: Math.min(Number(maxLength), 12) };
  if (typeof pattern !== "string") {
    return fc.oneof(fc.string(bounds), fc.constantFrom("Name", "title").filter(fits(bounds)));
  }
  const drawn = fc.stringMatching(new RegExp(pattern));
  return ID_PATTERN.test(pattern) ? fc.oneof(fc.constantFrom(...ids), drawn) : drawn;
}

function fits({ minLength, maxLength }: { minLength: number; maxLength: number }) {
  return (value: string) => value.length >= minLength && value.length <= maxLength;
}

function object(schema: JsonObject, draw: (schema: JsonObject) => Any, { names }: Hints): Any {
  const members = Object.fromEntries(
    [...membersOf(schema)].map(([name, one]) => [name, draw(one)]),
  );
  const known = fc.record(members, { requiredKeys: [...requiredOf(schema)] });
  const { additionalProperties } = schema;
  if (!isSchema(additionalProperties)) return known;
  const name = fc.oneof(fc.constantFrom(...names), fc.string({ minLength: 1, maxLength: 5 }));
  const others = fc.dictionary(name, draw(additionalProperties), { maxKeys: 3 });
  return fc.tuple(others, known).map(([rest, own]) => ({ ...rest, ...own }));
}

/** Members that do not lead back to themselves before those that do. */
function plainFirst(members: readonly JsonObject[], { components }: Drawing): JsonObject[] {
  const weights = new Map(members.map((one) => [one, reach(one, components).size]));
  return members.toSorted((a, b) => (weights.get(a) ?? 0) - (weights.get(b) ?? 0));
}

function reach(schema: unknown, components: JsonObject, seen = new Set<string>()): Set<string> {
  if (typeof schema !== "object" || schema === null) return seen;
  for (const [key, value] of Object.entries(schema)) {
    if (key !== "$ref") reach(value, components, seen);
    else {
      const name = String(value).split("/").at(-1) ?? "";
      if (seen.has(name)) continue;
      seen.add(name);
      reach(components[name], components, seen);
    }
  }
  return seen;
}

/** A value with one place of it changed: a member gone, one too many, or another value. */
export function breakOnce(value: unknown): Any {
  const places = placesIn(value);
  const other = fc.oneof(
    fc.constantFrom<unknown>(null, true, 0, -1, 1.5, "", "x".repeat(3_000), [], {}, [null]),
    fc.jsonValue({ maxDepth: 1 }),
  );
  return fc.tuple(fc.constantFrom(...places), fc.constantFrom(...CHANGES), other)
    .map(([place, change, instead]) => {
      const copy = structuredClone(value);
      const holder = place.slice(0, -1).reduce((at, key) => Reflect.get(Object(at), key), copy);
      change(Object(holder), place.at(-1) ?? "", instead);
      return copy;
    });
}

type Place = readonly string[];

const CHANGES = [
  (holder: object, key: string, instead: unknown) => Reflect.set(holder, key, instead),
  (holder: object, key: string) => {
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else Reflect.deleteProperty(holder, key);
  },
  (holder: object, _key: string, instead: unknown) => {
    if (Array.isArray(holder)) holder.push(instead);
    else Reflect.set(holder, "unknown", instead);
  },
];

function placesIn(value: unknown, path: Place = []): Place[] {
  if (typeof value !== "object" || value === null) return [path];
  const inside = Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...path, key]));
  return path.length === 0 ? [["unknown"], ...inside] : [path, ...inside];
}
