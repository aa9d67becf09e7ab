/**
 * Converts valibot schemas to JSON Schemas that every client generator understands.
 *
 * @module
 */
import { type JsonSchema, toJsonSchemaDefs } from "@valibot/to-json-schema";
import * as v from "valibot";
import { componentOf } from "../../shared/component.ts";
import type { SchemaTable } from "./components.ts";
import type { JsonObject } from "./json.ts";
import { nameMembers } from "./members.ts";
import { OVERRIDES, withDetail, withoutUnnamed } from "./overrides.ts";
import { withExactUnions } from "./unions.ts";
import { mapSchema } from "./walk.ts";

/** Bounds for texts and lists that have none. */
export interface Bounds {
  /** Maximum UTF-16 code units of a text. */
  readonly text: number;
  /** Maximum items of a list. */
  readonly items: number;
}

export interface ConvertedSchemas {
  /** The component schemas by name, in alphabetical order. */
  readonly components: Readonly<Record<string, JsonObject>>;
  /** The other schemas, by key. */
  readonly inline: ReadonlyMap<string, JsonObject>;
}

export interface ConvertOptions {
  /** Schemas that become components: each use of one of these objects is written as a reference. */
  readonly named: SchemaTable;
  /** Other schemas, by keys that are not names in `named`. */
  readonly inline: ReadonlyMap<string, v.GenericSchema<unknown, unknown>>;
  /** By default none are added. */
  readonly bounds?: Bounds;
}

/**
 * Converts all schemas at once, so that they share their references.
 *
 * Throws if a schema has no JSON Schema form, or if a recursive one has no name.
 */
export function convertSchemas(options: ConvertOptions): ConvertedSchemas {
  const { named, inline, bounds } = options;
  const definitions = convert(options);
  const written = nameMembers(
    Object.fromEntries(Object.keys(named).map((name) => [name, definitions.get(name)])),
  );
  const finish = (schema: JsonObject): JsonObject => {
    const exact = withExactUnions(schema, written);
    return bounds === undefined ? exact : withBounds(exact, bounds);
  };
  return {
    components: Object.fromEntries(
      // Sound because each value is a converted schema.
      Object.entries(written).map(([name, schema]) => [
        name,
        withDescription(finish(schema as JsonObject), named[name]),
      ]),
    ),
    inline: new Map([...inline.keys()].map((key) => [key, finish(unwrap(definitions.get(key)))])),
  };
}

function withDescription(schema: JsonObject, source: SchemaTable[string] | undefined): JsonObject {
  const description = schema["description"] ?? (source && componentOf(source)?.description);
  return description === undefined ? schema : { description, ...schema };
}

function convert({ named, inline }: ConvertOptions): ReadonlyMap<string, JsonSchema> {
  const definitions = toJsonSchemaDefs({ ...named, ...wrapAll(inline) }, {
    target: "draft-2020-12",
    overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
    overrideAction: withDetail,
    overrideSchema: (context) =>
      context.valibotSchema.type === "lazy"
        ? withoutUnnamed(context, named)
        : OVERRIDES.get(context.valibotSchema.type)?.(context),
  });
  return new Map(Object.entries(definitions));
}

// The converter names each schema by its key. Wrapped, a schema keeps its own name or has none.
function wrapAll(inline: ConvertOptions["inline"]): SchemaTable {
  return Object.fromEntries(
    [...inline].map(([key, wrapped]) => [key, v.strictObject({ wrapped })]),
  );
}

function unwrap(wrapper: JsonSchema | undefined): JsonObject {
  const wrapped = wrapper?.properties?.["wrapped"];
  if (typeof wrapped !== "object") throw new Error("A wrapped schema lost its wrapper");
  return { ...wrapped };
}

/** Adds bounds to texts and lists without any: clients plan by them, and linters require them. */
function withBounds(schema: JsonObject, { text, items }: Bounds): JsonObject {
  return mapSchema(schema, (inner) => {
    const types = [inner["type"]].flat();
    if (types.includes("string") && !isBoundText(inner)) return { ...inner, maxLength: text };
    if (types.includes("array") && inner["maxItems"] === undefined) {
      return { ...inner, maxItems: items };
    }
    return inner;
  });
}

function isBoundText(schema: JsonObject): boolean {
  return ["maxLength", "const", "enum"].some((keyword) => schema[keyword] !== undefined);
}
