/**
 * The types of properties. To add one, write its file in `types/` and name it here.
 *
 * @module
 */
import * as v from "valibot";
import { byType, component, componentOfEach } from "../../shared/component.ts";
import type { Property, PropertyType } from "../schema/property.ts";
import type { PropertyKind } from "./property_kind.ts";
import { button } from "./types/button.ts";
import { checkbox } from "./types/checkbox.ts";
import { createdBy } from "./types/created_by.ts";
import { createdTime } from "./types/created_time.ts";
import { date } from "./types/date.ts";
import { email } from "./types/email.ts";
import { files } from "./types/files.ts";
import { formula } from "./types/formula.ts";
import { lastEditedBy } from "./types/last_edited_by.ts";
import { lastEditedTime } from "./types/last_edited_time.ts";
import { multiSelect } from "./types/multi_select.ts";
import { number } from "./types/number.ts";
import { people } from "./types/people.ts";
import { phoneNumber } from "./types/phone_number.ts";
import { place } from "./types/place.ts";
import { relation } from "./types/relation.ts";
import { richText } from "./types/rich_text.ts";
import { rollupOf } from "./types/rollup.ts";
import { select } from "./types/select.ts";
import { status } from "./types/status.ts";
import { title } from "./types/title.ts";
import { uniqueId } from "./types/unique_id.ts";
import { url } from "./types/url.ts";
import { verification } from "./types/verification.ts";

/** The types whose values a rollup may collect. */
const COLLECTED = {
  title,
  rich_text: richText,
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
  place,
  verification,
} satisfies Readonly<Record<string, PropertyKind>>;

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

/** The definition of each property type; everything else about them is derived from it. */
export const PROPERTY_KINDS = {
  ...COLLECTED,
  rollup: rollupOf(collectedValue),
  button,
} satisfies Readonly<Record<string, PropertyKind>>;
component(
  PROPERTY_KINDS.rollup.output,
  "RollupValue",
  "The result of a rollup, in the field that `type` names.",
);

export type PropertyKinds = typeof PROPERTY_KINDS;

/** The value of a type as clients write it; never, if they do not. */
export type GivenOf<T extends PropertyType> = PropertyKinds[T] extends
  { readonly input?: v.GenericSchema<unknown, infer Given> } ? unknown extends Given ? never : Given
  : never;

/** The value of a type as responses show it. */
export type ReadOf<T extends PropertyType> = v.InferOutput<PropertyKinds[T]["output"]>;

/** One item of a value that is read item by item; never for other types. */
export type ItemOf<T extends PropertyType> = v.InferOutput<
  NonNullable<PropertyKinds[T]["item"]>
>;

/** The configuration of a type as a client writes it. */
export type ConfigInput<T extends PropertyType> = v.InferOutput<
  PropertyKinds[T]["config"]["input"]
>;

/** Every type with its kind, in the order of the table. */
export const propertyKinds: readonly (readonly [PropertyType, PropertyKind])[] =
  // Sound because the types are the only keys of the table.
  Object.entries(PROPERTY_KINDS) as [PropertyType, PropertyKind][];

/** Returns the definition of a property's type. */
export function kindOf({ type }: Pick<Property, "type">): PropertyKind {
  return PROPERTY_KINDS[type];
}
