/**
 * Property values as clients write them.
 *
 * @module
 */
import * as v from "valibot";
import { component, componentOfEach } from "../../shared/component.ts";
import type { PropertyType } from "../schema/property.ts";
import { named } from "../values/named.ts";
import { type RichTextInput, richTextInput } from "../values/rich_text.ts";
import { byKey } from "../values/union.ts";
import type { PropertyKind } from "./property_kind.ts";
import { type GivenOf, propertyKinds } from "./registry.ts";

/** A value under the name of its type; exactly one is present. */
export type TypedInput =
  & { readonly id?: string; readonly type?: PropertyType; readonly has_more?: boolean }
  & { readonly [T in PropertyType]?: GivenOf<T> };

/** A title may be given as its rich text alone. */
export type PropertyInput = TypedInput | RichTextInput;

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

/** A value of a type that clients do not write: `valueIssues` refuses it by the name of its property. */
const otherInput: v.GenericSchema = v.object({});

// Sound because each member has the value that its schema names, and the other one has none.
const typedInput = byKey(inputMembers, otherInput) as v.GenericSchema<unknown, TypedInput>;
const anyInput: v.GenericSchema<unknown, PropertyInput> = v.union([
  // Sound for the same reason.
  ...Object.values(inputMembers) as v.GenericSchema<unknown, TypedInput>[],
  richTextInput,
]);

/** The value of a property as a client writes it; a title may be given as its rich text alone. */
export const propertyInput = v.lazy((input): v.GenericSchema<unknown, PropertyInput> => {
  if (input === undefined) return anyInput;
  return Array.isArray(input) ? richTextInput : typedInput;
});
component(
  propertyInput,
  "PropertyInput",
  "A property value to write, under the key of its type. For a title, an array of rich text items is enough.",
);

/** Values as a client writes them, by name or id of their property. */
export const propertiesInput = named(propertyInput);
export type PropertiesInput = v.InferOutput<typeof propertiesInput>;
