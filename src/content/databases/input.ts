/**
 * What clients write of databases and of their properties.
 *
 * @module
 */
import * as v from "valibot";
import { coverInput, iconInput } from "../values/icons.ts";
import { idInput } from "../values/ids.ts";
import { LIMITS } from "../values/limits.ts";
import { named } from "../values/named.ts";
import { richTextInput } from "../values/rich_text.ts";
import { byKey } from "../values/union.ts";
import type { PropertyType } from "../schema/property.ts";
import { type ConfigInput, propertyKinds } from "../properties/registry.ts";
import { descriptionInput } from "../properties/shared/description.ts";

const propertyName = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(LIMITS.name),
  v.description("The property's new name; by default the key that it stands under."),
);

const common = {
  id: v.exactOptional(v.pipe(
    v.string(),
    v.description("Decides where the key is the name of one property and the id of another."),
  )),
  name: v.exactOptional(propertyName),
  description: v.exactOptional(descriptionInput),
};

/** A property as a client writes it: at most one type's key is there. */
export type PropertyInput =
  & {
    readonly id?: string;
    readonly name?: string;
    readonly type?: PropertyType;
    readonly description?: string | null;
  }
  & { readonly [T in PropertyType]?: ConfigInput<T> };

type PropertySchema = v.GenericSchema<unknown, PropertyInput>;

/** The schema of each type of property as a client writes it. */
// Sound because each member holds one key of PropertyInput; the compiler cannot follow computed keys.
export const propertyInputMembers = Object.fromEntries(propertyKinds.map(([type, { config }]) => [
  type,
  v.strictObject({
    ...common,
    type: v.exactOptional(v.literal(type)),
    [type]: config.input,
  }),
])) as unknown as Readonly<Record<PropertyType, PropertySchema>>;

/** A new property. */
export const propertyInput = byKey(propertyInputMembers);

/** A change of a property that leaves its type and configuration alone. */
export const propertyRenameInput: PropertySchema = v.strictObject(common);

const changedMember = byKey(propertyInputMembers, propertyRenameInput);

/** A change of a property, or a new one; null removes it. */
export const propertyUpdateInput = v.nullable(
  v.lazy((input): PropertySchema =>
    input === undefined
      ? v.union([...Object.values(propertyInputMembers), propertyRenameInput])
      : changedMember.getter(input)
  ),
);

/** What of a new database's properties a client writes, by name. */
const propertyInputs = named(propertyInput);

/** Changes of properties, by their name or id; a new property by its name. */
const propertyUpdateInputs = named(propertyUpdateInput);
export type PropertyUpdateInputs = v.InferOutput<typeof propertyUpdateInputs>;

const look = {
  title: v.exactOptional(richTextInput),
  description: v.exactOptional(richTextInput),
  icon: v.exactOptional(iconInput),
  cover: v.exactOptional(coverInput),
  is_inline: v.exactOptional(v.pipe(
    v.boolean(),
    v.description("Whether it is shown inside the page that it is in."),
  )),
};

const noParent: v.GenericSchema<unknown, never> = v.custom<never>(
  () => false,
  "a page (`page_id`) or the workspace (`workspace`), as nothing else holds a database",
);

/** The parent of a new database. */
export const databaseParentInput = byKey({
  page_id: v.strictObject({ type: v.exactOptional(v.literal("page_id")), page_id: idInput }),
  workspace: v.strictObject({
    type: v.exactOptional(v.literal("workspace")),
    workspace: v.literal(true),
  }),
}, noParent);

/** A new database. */
export const databaseCreateInput = v.strictObject({
  parent: databaseParentInput,
  properties: propertyInputs,
  ...look,
});
export type DatabaseCreateInput = v.InferOutput<typeof databaseCreateInput>;

/** What changes of a database; what is left out stays. */
export const databaseUpdateInput = v.strictObject({
  properties: v.exactOptional(propertyUpdateInputs),
  ...look,
  archived: v.exactOptional(
    v.pipe(v.boolean(), v.description("Another name of `in_trash`.")),
  ),
  in_trash: v.exactOptional(
    v.pipe(
      v.boolean(),
      v.description("True takes the database to the trash, false brings it back."),
    ),
  ),
});
export type DatabaseUpdateInput = v.InferOutput<typeof databaseUpdateInput>;
