/**
 * Shapes: a schema split by the kinds of values that it allows, in the form that is compared.
 *
 * @module
 */
import { isDeepStrictEqual } from "node:util";
import { createRef, type JsonObject } from "../json.ts";
import { isSchema, listed } from "../walk.ts";
import type { Pair } from "./finding.ts";
import { admits } from "./keywords.ts";
import { nameOf, resolve, UnusableDocument } from "./references.ts";

const KINDS = ["null", "boolean", "number", "string", "array", "object"] as const;
type Kind = typeof KINDS[number];

/** Allowed values of one kind. */
export interface Shape {
  readonly kind: Kind | "any";
  /** The component that consists of this shape. */
  readonly name?: string;
  /** All values, if they are listed. */
  readonly values?: readonly unknown[];
  /** The keywords that constrain the values. Empty if they are listed. */
  readonly keywords: JsonObject;
}

/** A member of a union: an inline schema, or a reference to a component. */
export interface Alternative {
  readonly schema: unknown;
  readonly name: string | undefined;
}

/** The schemas of one document. */
export interface SchemaReader {
  /** Returns the component with a name. Throws `UnusableDocument` if it is missing. */
  component(name: string): JsonObject;
  /** Returns the target of a reference, or the value itself. */
  resolve(value: unknown): JsonObject;
  /** Returns the members of a union, or the schema itself if it is not one. */
  alternatives(schema: unknown): readonly Alternative[];
  /** Returns the shapes of a schema. The same schema gives the same objects. */
  shapes(schema: unknown): readonly Shape[];
}

/** Keywords that do not constrain values. */
const ANNOTATIONS = new Set([
  ...["description", "title", "example", "examples", "discriminator", "externalDocs", "$comment"],
  ...["deprecated", "xml"],
]);
const UNIONS = ["oneOf", "anyOf"];
/** Keywords that are not supported. The documents of this API do not use them. */
const UNREAD = new Set([
  ...["allOf", "not", "if", "then", "else", "prefixItems", "contains", "patternProperties"],
  ...["dependentSchemas", "unevaluatedItems", "unevaluatedProperties", "$dynamicRef", "$defs"],
]);
const ANY: Shape = { kind: "any", keywords: {} };

/** Reads the schemas of a document. */
export function createSchemaReader(document: JsonObject): SchemaReader {
  const cache = new Map<unknown, readonly Shape[]>();

  function shapes(schema: unknown): readonly Shape[] {
    if (schema === true || schema === undefined) return [ANY];
    if (!isSchema(schema)) return [];
    const name = nameOf(constraintsOf(schema));
    const key = name ?? schema;
    const found = cache.get(key);
    if (found !== undefined) return found;
    // A schema that is only a union with itself has no values.
    cache.set(key, []);
    const result = name === undefined ? read(schema) : named(shapes(component(name)), name);
    cache.set(key, result);
    return result;
  }

  function read(schema: JsonObject): readonly Shape[] {
    const constraints = constraintsOf(schema);
    const [union] = UNIONS.filter((keyword) => keyword in constraints);
    if (union === undefined) return plainShapes(constraints);
    return mergeValues(listed(schema, union).flatMap(shapes));
  }

  function component(name: string): JsonObject {
    return resolve(document, createRef("schemas", name));
  }

  return {
    component,
    resolve: (value) => resolve(document, value),
    alternatives: (schema) => {
      const members = isSchema(schema) ? UNIONS.flatMap((union) => listed(schema, union)) : [];
      return (members.length > 0 ? members : [schema])
        .map((one) => ({ schema: one, name: nameOf(one) }));
    },
    shapes,
  };
}

/** Returns the shapes of two schemas, each from its own document. */
export function shapesOf(
  schemas: Pair<unknown>,
  readers: Pair<SchemaReader>,
): Pair<readonly Shape[]> {
  return {
    before: readers.before.shapes(schemas.before),
    after: readers.after.shapes(schemas.after),
  };
}

/** Adds the name of a component to its shape if it has only one. */
function named(shapes: readonly Shape[], name: string): readonly Shape[] {
  const [only, ...others] = shapes;
  return only === undefined || others.length > 0 ? shapes : [{ ...only, name }];
}

function constraintsOf(schema: JsonObject): JsonObject {
  const constraints = Object.entries(schema)
    .filter(([keyword]) => !ANNOTATIONS.has(keyword) && !keyword.startsWith("x-"));
  const keywords = constraints.map(([keyword]) => keyword);
  const isMixed = keywords.length > 1 &&
    keywords.some((one) => one === "$ref" || UNIONS.includes(one));
  // To ignore a part of a schema would be to miss a change.
  if (isMixed || keywords.some((one) => UNREAD.has(one))) {
    throw new UnusableDocument(`Cannot compare a schema of ${keywords.join(", ")}`);
  }
  return Object.fromEntries(constraints);
}

function plainShapes({ type, enum: list, const: only, ...keywords }: JsonObject): Shape[] {
  const types = type === undefined ? [] : [type].flat().map(String);
  const values = only === undefined ? list : [only];
  if (Array.isArray(values)) return listedShapes(values, { types, keywords });
  if (types.length === 0) return [{ kind: "any", keywords }];
  return KINDS.filter((kind) => isOfType(kind, types))
    .map((kind) => shapeOf(kind, { types, keywords }));
}

function isOfType(kind: Kind, types: readonly string[]): boolean {
  return types.includes(kind) || (kind === "number" && types.includes("integer"));
}

interface TypedKeywords {
  readonly types: readonly string[];
  readonly keywords: JsonObject;
}

const EVERY_VALUE: ReadonlyMap<Kind, readonly unknown[]> = new Map<Kind, readonly unknown[]>([
  ["null", [null]],
  ["boolean", [false, true]],
]);

function shapeOf(kind: Kind, { types, keywords }: TypedKeywords): Shape {
  const values = EVERY_VALUE.get(kind);
  if (values !== undefined) return { kind, values, keywords: {} };
  const isInteger = kind === "number" && !types.includes("number");
  return { kind, keywords: isInteger ? { ...keywords, integer: true } : keywords };
}

function listedShapes(values: readonly unknown[], { types, keywords }: TypedKeywords): Shape[] {
  const fitting = values.filter((value) => admits(keywords, value));
  return [...Map.groupBy(fitting, kindOf)]
    .filter(([kind]) => types.length === 0 || isOfType(kind, types))
    .map(([kind, values]) => ({ kind, values, keywords: {} }));
}

function kindOf(value: unknown): Kind {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return KINDS.find((kind) => kind === typeof value) ?? "object";
}

/** Merges listed values of one kind into one shape. */
export function mergeValues(shapes: readonly Shape[]): Shape[] {
  const lists = shapes.filter(({ values }) => values !== undefined);
  const merged = [...Map.groupBy(lists, ({ kind }) => kind)].map(([kind, same]): Shape => {
    const [first, ...others] = same;
    if (first !== undefined && others.length === 0) return first;
    return { kind, values: unique(same.flatMap(({ values = [] }) => values)), keywords: {} };
  });
  return [...shapes.filter(({ values }) => values === undefined), ...merged];
}

function unique(values: readonly unknown[]): unknown[] {
  return values.filter((value, index) =>
    values.findIndex((one) => isDeepStrictEqual(one, value)) === index
  );
}
