/**
 * Property values as clients write them.
 *
 * @module
 */
import * as v from "valibot";
import { component, componentOfEach } from "../../shared/component.ts";
import type { PropertyType } from "../schema/property.ts";
import { LIMITS } from "../values/limits.ts";
import { named } from "../values/named.ts";
import { type RichTextInput, richTextInput } from "../values/rich_text.ts";
import { byKey } from "../values/union.ts";
import type { PropertyKind } from "./property_kind.ts";
import { type GivenOf, propertyKinds } from "./registry.ts";

/** A value under the name of its type; exactly one is present. */
export type TypedInput =
  & { readonly id?: string; readonly type?: PropertyType; readonly has_more?: boolean }
  & { readonly [T in PropertyType]?: GivenOf<T> };

/** A value without the name of its type, which its property decides. */
export type BareInput = string | number | boolean | null | object;

/** Any value may be given without the name of its type. */
export type PropertyInput = TypedInput | RichTextInput | BareInput;

const RICH_TEXTS: ReadonlySet<PropertyType> = new Set(["title", "rich_text"]);

/**
 * Returns whether values may come without the name of their type: a verification has a key `date`
 * itself.
 */
export function hasBareForm(type: PropertyType): boolean {
  return type !== "verification";
}

/** Types of schemas that `bareScalar` accepts. */
const SCALARS: ReadonlySet<string> = new Set(["string", "number", "boolean"]);

const ignored = v.exactOptional(
  v.pipe(v.string(), v.description("Ignored. The key names the property.")),
);

/** The schema of each type that clients write. */
export const inputMembers: Readonly<Record<string, v.GenericSchema>> = Object.fromEntries(
  propertyKinds.flatMap(([type, kind]) =>
    kind.input === undefined ? [] : [[type, inputMember(type, kind.input, kind)]]
  ),
);
componentOfEach(inputMembers, "*PropertyInput", (type) => `A value of type \`${type}\` to write.`);

function inputMember(
  type: PropertyType,
  input: v.GenericSchema,
  { beside }: PropertyKind,
): v.GenericSchema {
  const more = Object.keys(beside ?? {}).map((key) => [key, v.exactOptional(v.boolean())]);
  return v.strictObject({
    id: ignored,
    type: v.exactOptional(v.literal(type)),
    ...Object.fromEntries(more),
    [type]: input,
  });
}

/** A bare object, or a value that clients do not write: `valueIssues` checks it by its property. */
const otherInput: v.GenericSchema = v.looseObject({});
const bareScalar = v.union([v.string(), v.number(), v.boolean(), v.null()]);
const bareList = v.pipe(v.array(v.looseObject({})), v.maxLength(LIMITS.array));

/** The bare forms, which the document names; the property's own schema checks them. */
const documentedBare: readonly v.GenericSchema[] = [
  bareScalar,
  ...new Map(
    propertyKinds.flatMap(([type, { input }]) =>
      input === undefined || RICH_TEXTS.has(type) || !hasBareForm(type)
        ? []
        : [[innermost(input), input] as const]
    ).filter(([inner]) => !SCALARS.has(inner.type)),
  ).values(),
];

function innermost(schema: v.GenericSchema): v.GenericSchema {
  // Sound because only wrapping schemas have this member.
  return "wrapped" in schema ? schema.wrapped as v.GenericSchema : schema;
}

// Sound because each member has the value that its schema names, and the other one has none.
const typedInput = byKey(inputMembers, otherInput) as v.GenericSchema<unknown, TypedInput>;
const anyInput: v.GenericSchema<unknown, PropertyInput> = v.union([
  // Sound for the same reason; the bare forms have no members of their own.
  ...[...Object.values(inputMembers), ...documentedBare] as v.GenericSchema<unknown, TypedInput>[],
  richTextInput,
]);

/** The value of a property as a client writes it, with or without the name of its type. */
export const propertyInput = v.lazy((input): v.GenericSchema<unknown, PropertyInput> => {
  if (input === undefined) return anyInput;
  if (Array.isArray(input)) return isRichTextList(input) ? richTextInput : bareList;
  return typeof input === "object" && input !== null ? typedInput : bareScalar;
});
component(
  propertyInput,
  "PropertyInput",
  'A property value to write, under the key of its type or without it: `5`, `true`, `[{ name: "a" }]`. An array of rich text items is enough for a title or a text.',
);

/** Returns whether a list has an item of rich text, which no other list has. */
function isRichTextList(list: readonly unknown[]): boolean {
  return list.length === 0 ||
    list.some((item) =>
      typeof item === "object" && item !== null &&
      ("text" in item || "mention" in item || "equation" in item)
    );
}

/** Values as a client writes them, by name or id of their property. */
export const propertiesInput = named(propertyInput);
export type PropertiesInput = v.InferOutput<typeof propertiesInput>;
