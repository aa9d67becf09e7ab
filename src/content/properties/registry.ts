/**
 * The table of property types, looked up by name.
 *
 * @module
 */
import * as v from "valibot";
import { byType, component, componentOfEach } from "../../shared/component.ts";
import type { Property, PropertyType } from "../schema/property.ts";
import { button, formula, rollupOf } from "./computed.ts";
import { files } from "./files.ts";
import type { PropertyKind } from "./property_type.ts";
import { checkbox, number, uniqueId } from "./numbers.ts";
import { multiSelect, select, status } from "./options.ts";
import { createdBy, lastEditedBy, people } from "./people.ts";
import { relation } from "./relation.ts";
import { email, phoneNumber, richTextProperty, title, url } from "./texts.ts";
import { createdTime, date, lastEditedTime } from "./times.ts";
import { verification } from "./verification.ts";

/** The types whose values a rollup may collect. */
const COLLECTED = {
  title,
  rich_text: richTextProperty,
  number,
  select,
  multi_select: multiSelect,
  status,
  date,
  people,
  files,
  checkbox,
  url,
  email,
  phone_number: phoneNumber,
  relation,
  formula,
  created_time: createdTime,
  created_by: createdBy,
  last_edited_time: lastEditedTime,
  last_edited_by: lastEditedBy,
  unique_id: uniqueId,
  verification,
};

type Collected = typeof COLLECTED;

/** A value with the name of its type, and nothing else. */
export type CollectedValue = {
  readonly [T in keyof Collected]:
    & { readonly type: T }
    & { readonly [Key in T]: v.InferOutput<Collected[T]["output"]> };
}[keyof Collected];

/** The schema of each type's value, with the name of its type. */
export const collectedMembers = Object.entries(COLLECTED).map(([type, { output }]) =>
  v.object({ type: v.literal(type), [type]: output })
);
componentOfEach(
  byType(collectedMembers),
  "*RollupItem",
  (type) => `A value of type \`${type}\` that a rollup collected.`,
);

const anyCollected: v.GenericSchema = v.variant("type", collectedMembers);

/** A value that a rollup collected. */
// Sound because each member has the name of its type, and its value under it.
export const collectedValue = anyCollected as v.GenericSchema<unknown, CollectedValue>;
component(
  collectedValue,
  "RollupItem",
  "One of the values that a rollup collected, in the field that `type` names.",
);

/** What the service knows of each property type; everything else about them is derived from it. */
export const PROPERTY_KINDS = {
  ...COLLECTED,
  rollup: rollupOf(collectedValue),
  button,
} satisfies Readonly<Record<PropertyType, PropertyKind>>;
component(
  PROPERTY_KINDS.rollup.output,
  "RollupValue",
  "The result of a rollup, in the field that `type` names.",
);

type Kinds = typeof PROPERTY_KINDS;

/** The value of a type as clients write it; never, where they do not. */
export type GivenOf<T extends PropertyType> = Kinds[T] extends
  { readonly input?: v.GenericSchema<unknown, infer Given> } ? unknown extends Given ? never : Given
  : never;

/** The value of a type as it is answered. */
export type ReadOf<T extends PropertyType> = v.InferOutput<Kinds[T]["output"]>;

/** Every type with what is known of it, in the order of the table. */
export const propertyKinds: readonly (readonly [PropertyType, PropertyKind])[] =
  // Sound because the table has the types alone as keys.
  Object.entries(PROPERTY_KINDS) as [PropertyType, PropertyKind][];

/** What is known of the type of a property. */
export function kindOf({ type }: Pick<Property, "type">): PropertyKind {
  return PROPERTY_KINDS[type];
}
