/**
 * Property values as responses show them.
 *
 * @module
 */
import * as v from "valibot";
import { byType, component, componentOfEach } from "../../shared/component.ts";
import type { PropertyType } from "../schema/property.ts";
import { named } from "../values/named.ts";
import type { RichText } from "../values/rich_text.ts";
import type { PropertyKind } from "./property_kind.ts";
import { propertyKinds, type ReadOf } from "./registry.ts";

/** A value under the name of its type. */
export type PropertyValueOf<T extends PropertyType> =
  & { readonly id: string; readonly type: T }
  & { readonly [Key in T]: ReadOf<T> };
export type PropertyValue = { readonly [T in PropertyType]: PropertyValueOf<T> }[PropertyType];

function outputMember(type: PropertyType, { output, beside }: PropertyKind) {
  const more = Object.keys(beside ?? {}).map((key) => [key, v.boolean()]);
  return v.object({
    id: v.string(),
    type: v.literal(type),
    ...Object.fromEntries(more),
    [type]: output,
  });
}

/** The schema of each type's value. */
export const outputMembers = propertyKinds.map(([type, kind]) => outputMember(type, kind));
componentOfEach(byType(outputMembers), "*PropertyValue", (type) => `A value of type \`${type}\`.`);

const anyValue: v.GenericSchema = v.variant("type", outputMembers);

/** A value as responses show it: one member for each type of property. */
// Sound because each member has the name of its type, and its value under it.
export const propertyValue = anyValue as v.GenericSchema<unknown, PropertyValue>;
component(propertyValue, "PropertyValue", "A property value, in the field that `type` names.");

/** Values as responses show them, by name of their property. */
export const properties = named(propertyValue);
export type Properties = Readonly<Record<string, PropertyValue>>;

/** The rich text of the one property that is the title. */
export function titleOf(properties: Properties): RichText {
  return Object.values(properties).find((value) => value.type === "title")?.title ?? [];
}
