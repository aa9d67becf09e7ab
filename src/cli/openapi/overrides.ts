/**
 * Corrections of the JSON Schema converter, where it omits something or uses a form that client
 * generators misread. They are listed by the type of the valibot schema.
 *
 * @module
 */
import type {
  JsonSchema,
  OverrideActionContext,
  OverrideSchemaContext,
} from "@valibot/to-json-schema";
import type * as v from "valibot";

type Override = (context: OverrideSchemaContext) => JsonSchema | undefined;
type Schema = v.GenericSchema<unknown, unknown>;

/** The correction for each type that needs one. It returns undefined to keep the converter's output. */
export const OVERRIDES: ReadonlyMap<string, Override> = new Map<string, Override>([
  ["literal", withType],
  ["nullable", withTypeList],
  ["nullish", withTypeList],
  ["object", withoutEmptyRequired],
  ["strict_object", withoutEmptyRequired],
  ["loose_object", withoutEmptyRequired],
  ["record", withoutPlainNames],
  ["union", withoutLoneChoice],
  ["variant", withoutLoneChoice],
]);

/** Adds details of an action that the converter omits. */
export function withDetail(context: OverrideActionContext): JsonSchema | undefined {
  return context.valibotAction.type === "iso_timestamp" ? withUtc(context) : withWidth(context);
}

/** Timestamps are always written by the service. Dates of clients have a pattern of their own. */
function withUtc({ jsonSchema }: OverrideActionContext): JsonSchema {
  return { ...jsonSchema, pattern: UTC, maxLength: 24 };
}

const UTC = String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$`;

/** Adds the format `int32` or `int64` to integers, by their bounds. */
function withWidth({ jsonSchema }: OverrideActionContext): JsonSchema | undefined {
  const { type, minimum = -Infinity, maximum = Infinity } = jsonSchema;
  if (type !== "integer") return undefined;
  if (minimum >= -(2 ** 31) && maximum < 2 ** 31) return { ...jsonSchema, format: "int32" };
  return { ...jsonSchema, format: "int64" };
}

/**
 * Writes a lazy schema inline unless it leads to a named one. The converter would make a component of
 * each, named by a number. Throws if the schema is recursive.
 */
export function withoutUnnamed(
  { valibotSchema, definitions, getterMap, referenceMap }: OverrideSchemaContext,
  named: Readonly<Record<string, Schema>>,
): JsonSchema | undefined {
  // Sound because only schemas of type "lazy" come here.
  const { getter } = valibotSchema as v.LazySchema<Schema>;
  const target = getterMap.get(getter);
  const id = target === undefined ? undefined : referenceMap.get(target);
  if (id === undefined || Object.hasOwn(named, id)) return undefined;
  const definition = definitions[id];
  if (definition !== undefined) return definition;
  throw new Error(`A recursive schema has no name: ${describe(target)}`);
}

/** Adds the type of a `const`, because some generators otherwise accept any value. */
function withType({ jsonSchema, errors }: OverrideSchemaContext): JsonSchema | undefined {
  if (errors !== undefined) return undefined;
  const type = typeof jsonSchema.const;
  if (type !== "string" && type !== "number" && type !== "boolean") return undefined;
  return { type, ...jsonSchema };
}

/** Writes a nullable scalar as a list of types. For references and enumerations generators need `anyOf`. */
function withTypeList({ jsonSchema }: OverrideSchemaContext): JsonSchema | undefined {
  const { anyOf: [inner] = [], ...rest } = jsonSchema;
  if (typeof inner !== "object" || "enum" in inner || "const" in inner) return undefined;
  const { type } = inner;
  if (type !== "string" && type !== "number" && type !== "integer" && type !== "boolean") {
    return undefined;
  }
  return { ...rest, ...inner, type: [type, "null"] };
}

function withoutEmptyRequired({ jsonSchema }: OverrideSchemaContext): JsonSchema | undefined {
  const { required, ...rest } = jsonSchema;
  return required?.length === 0 ? rest : undefined;
}

/** Omits `propertyNames` that only say that names are strings. */
function withoutPlainNames({ jsonSchema }: OverrideSchemaContext): JsonSchema | undefined {
  const { propertyNames, ...rest } = jsonSchema;
  if (typeof propertyNames !== "object") return undefined;
  return Object.keys(propertyNames).every((keyword) => keyword === "type") ? rest : undefined;
}

/** Unwraps a union of one schema, which linters report. */
function withoutLoneChoice({ jsonSchema }: OverrideSchemaContext): JsonSchema | undefined {
  const [only, ...others] = jsonSchema.anyOf ?? jsonSchema.oneOf ?? [];
  return typeof only === "object" && others.length === 0 ? only : undefined;
}

function describe(
  schema: { readonly type: string; readonly expects?: string } | undefined,
): string {
  return schema === undefined ? "lazy" : `${schema.type} (${schema.expects ?? "unknown"})`;
}
