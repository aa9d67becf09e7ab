/**
 * Corrections of what the JSON Schema converter leaves out or writes in a form that generators of
 * clients misread, by the type of the valibot schema.
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

/** A schema as far as the search for a discriminator's values looks into it. */
interface Member {
  readonly type: string;
  readonly literal?: unknown;
  readonly options?: readonly unknown[];
  readonly entries?: Readonly<Record<string, Member>>;
}

/** One correction for each type that needs one; undefined keeps what the converter wrote. */
export const OVERRIDES: ReadonlyMap<string, Override> = new Map<string, Override>([
  ["literal", withType],
  ["nullable", withTypeList],
  ["nullish", withTypeList],
  ["object", withoutEmptyRequired],
  ["strict_object", withoutEmptyRequired],
  ["loose_object", withoutEmptyRequired],
  ["record", withoutPlainNames],
  ["union", withoutLoneChoice],
  ["variant", withDiscriminator],
]);

/** Names the width of an integer whose bounds fit into one, in whatever order it was bounded. */
export function withWidth({ jsonSchema }: OverrideActionContext): JsonSchema | undefined {
  const { type, minimum = -Infinity, maximum = Infinity } = jsonSchema;
  if (type !== "integer" || minimum < -(2 ** 31) || maximum >= 2 ** 31) return undefined;
  return { format: "int32", ...jsonSchema };
}

/**
 * Writes a lazy schema out where it stands, unless it leads to a named one; the converter would make
 * a component of each, named by a number. Throws where it would never end.
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

/** `const` alone makes some generators take the value for anything. */
function withType({ jsonSchema, errors }: OverrideSchemaContext): JsonSchema | undefined {
  if (errors !== undefined) return undefined;
  const type = typeof jsonSchema.const;
  if (type !== "string" && type !== "number" && type !== "boolean") return undefined;
  return { type, ...jsonSchema };
}

/** A scalar or null is one type list; of references and enumerations only `anyOf` is understood. */
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

/** Every name of an object is a string: only a closer rule is worth saying. */
function withoutPlainNames({ jsonSchema }: OverrideSchemaContext): JsonSchema | undefined {
  const { propertyNames, ...rest } = jsonSchema;
  if (typeof propertyNames !== "object") return undefined;
  return Object.keys(propertyNames).every((keyword) => keyword === "type") ? rest : undefined;
}

/** A choice of one is that one; linters take it for a mistake. */
function withoutLoneChoice({ jsonSchema }: OverrideSchemaContext): JsonSchema | undefined {
  const [only, ...others] = jsonSchema.anyOf ?? jsonSchema.oneOf ?? [];
  return typeof only === "object" && others.length === 0 ? only : undefined;
}

/**
 * Maps every value of the discriminator to its component. Without a mapping four generators make
 * types that nothing fits, so where a member is no component there is no discriminator at all.
 */
function withDiscriminator(context: OverrideSchemaContext): JsonSchema | undefined {
  const { valibotSchema, jsonSchema } = context;
  const only = withoutLoneChoice(context);
  if (only !== undefined) return only;
  // Sound because only schemas of type "variant" come here.
  const { key, options } = valibotSchema as unknown as { key: string; options: Member[] };
  const pairs = options.flatMap((option, index) => {
    const ref = referenceOf(jsonSchema.oneOf?.[index]);
    return valuesOf(option, key).map((value) => [value, ref] as const);
  });
  if (pairs.flat().includes(undefined)) return undefined;
  const discriminator = { propertyName: key, mapping: Object.fromEntries(pairs) };
  // JSON Schema lets a vocabulary add keywords; this one is OpenAPI's.
  return { ...jsonSchema, discriminator } as JsonSchema;
}

function referenceOf(schema: JsonSchema | boolean | undefined): string | undefined {
  return typeof schema === "object" ? schema.$ref : undefined;
}

function valuesOf(member: Member, key: string): unknown[] {
  if (member.type === "variant") {
    // Sound because a variant's options are object schemas and variants.
    return (member.options ?? []).flatMap((option) => valuesOf(option as Member, key));
  }
  const entry = member.entries?.[key];
  return entry?.options === undefined ? [entry?.literal] : [...entry.options];
}

function describe(
  schema: { readonly type: string; readonly expects?: string } | undefined,
): string {
  return schema === undefined ? "lazy" : `${schema.type} (${schema.expects ?? "unknown"})`;
}
