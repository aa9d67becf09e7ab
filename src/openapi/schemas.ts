/**
 * valibot schemas as the JSON Schemas that every client generator understands.
 *
 * @module
 */
import { type JsonSchema, toJsonSchemaDefs } from "@valibot/to-json-schema";
import * as v from "valibot";
import type { JsonObject } from "./json.ts";
import { OVERRIDES, withoutUnnamed, withWidth } from "./overrides.ts";

export type SchemaTable = Readonly<Record<string, v.GenericSchema<unknown, unknown>>>;

export interface ConvertedSchemas {
  /** The component schemas by name, in alphabetical order. */
  readonly components: JsonObject;
  /** The schema of each inline use, by its key. */
  readonly inline: ReadonlyMap<string, JsonObject>;
}

export interface ConvertOptions {
  /** Schemas that become components: wherever one of these very objects stands, a reference does. */
  readonly named: SchemaTable;
  /** Schemas in use, by any keys that are no name of `named`. */
  readonly inline: ReadonlyMap<string, v.GenericSchema<unknown, unknown>>;
}

/**
 * Converts all schemas at once, so that they agree on what a reference means.
 *
 * Throws where a schema has no JSON Schema form, or recurs without a name.
 */
export function convertSchemas({ named, inline }: ConvertOptions): ConvertedSchemas {
  const definitions = new Map<string, JsonSchema>(
    Object.entries(toJsonSchemaDefs({ ...named, ...wrapAll(inline) }, {
      target: "draft-2020-12",
      overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
      overrideAction: withWidth,
      overrideSchema: (context) =>
        context.valibotSchema.type === "lazy"
          ? withoutUnnamed(context, named)
          : OVERRIDES.get(context.valibotSchema.type)?.(context),
    })),
  );
  const names = Object.keys(named).sort();
  return {
    components: Object.fromEntries(names.map((name) => [name, definitions.get(name)])),
    inline: new Map([...inline.keys()].map((key) => [key, unwrap(definitions.get(key))])),
  };
}

// The converter takes each key for the name of its schema. A wrapper made here is met nowhere else,
// so the schema in it keeps the name that it has, or has none.
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
