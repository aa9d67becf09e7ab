/**
 * Schemas of the databases and properties that clients write.
 *
 * @module
 */
import * as v from "valibot";
import { component, componentOfEach } from "../../shared/component.ts";
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
  v.description("New name of the property. By default a new property is named by its key."),
);

const common = {
  id: v.exactOptional(v.pipe(
    v.string(),
    v.description(
      "ID of the property. It decides if the key is the name of one property and the ID of another.",
    ),
  )),
  name: v.exactOptional(propertyName),
  description: v.exactOptional(descriptionInput),
};

/** A property as a client writes it, with the key of at most one type. */
export type PropertyInput =
  & {
    readonly id?: string;
    readonly name?: string;
    readonly type?: PropertyType;
    readonly description?: string | null;
  }
  & { readonly [T in PropertyType]?: ConfigInput<T> };

type PropertySchema = v.GenericSchema<unknown, PropertyInput>;

/** The input schema of each type of property. */
// Sound because each member has one key of PropertyInput; the compiler cannot follow computed keys.
export const propertyInputMembers = Object.fromEntries(propertyKinds.map(([type, { config }]) => [
  type,
  v.strictObject({
    ...common,
    type: v.exactOptional(v.literal(type)),
    [type]: config.input,
  }),
])) as unknown as Readonly<Record<PropertyType, PropertySchema>>;
componentOfEach(
  propertyInputMembers,
  "*DatabasePropertyInput",
  (type) => `A property of type \`${type}\` to define.`,
);

/** A new property. */
export const propertyInput = byKey(propertyInputMembers);
component(
  propertyInput,
  "DatabasePropertyInput",
  "A property to create. Exactly one key names its type and holds its configuration.",
);

/** A change of a property that keeps its type and configuration. */
export const propertyRenameInput: PropertySchema = v.strictObject(common);
component(
  propertyRenameInput,
  "DatabasePropertyRenameInput",
  "A change to the name or description of a property. Its type and configuration stay the same.",
);

const changedMember = byKey(propertyInputMembers, propertyRenameInput);

/** A change of a property, or a new property; null deletes the property. */
export const propertyUpdateInput = v.nullable(
  v.lazy((input): PropertySchema =>
    input === undefined
      ? v.union([...Object.values(propertyInputMembers), propertyRenameInput])
      : changedMember.getter(input)
  ),
);
component(
  propertyUpdateInput.wrapped,
  "DatabasePropertyUpdateInput",
  "A change to a property, or a new property.",
);

/** The properties of a new database, by name. */
const propertyInputs = named(propertyInput);

/** Changes of properties by name or id, and new properties by name. */
const propertyUpdateInputs = named(propertyUpdateInput);
export type PropertyUpdateInputs = v.InferOutput<typeof propertyUpdateInputs>;

const look = {
  title: v.exactOptional(richTextInput),
  description: v.exactOptional(richTextInput),
  icon: v.exactOptional(iconInput),
  cover: v.exactOptional(coverInput),
  is_inline: v.exactOptional(v.pipe(
    v.boolean(),
    v.description("Whether the database is shown inside its parent page."),
  )),
};

const noParent: v.GenericSchema<unknown, never> = v.custom<never>(
  () => false,
  "a page (`page_id`) or the workspace (`workspace`), because databases have no other parents",
);

/** The parent of a new database. */
export const databaseParentInput = byKey({
  page_id: v.strictObject({ type: v.exactOptional(v.literal("page_id")), page_id: idInput }),
  workspace: v.strictObject({
    type: v.exactOptional(v.literal("workspace")),
    workspace: v.literal(true),
  }),
}, noParent);
component(
  databaseParentInput,
  "DatabaseParentInput",
  "Where to create the database: in a page or at the top level of the workspace.",
);

/** A new database. */
export const databaseCreateInput = v.strictObject({
  parent: databaseParentInput,
  properties: propertyInputs,
  ...look,
});
component(databaseCreateInput, "DatabaseCreateInput", "A new database.");
export type DatabaseCreateInput = v.InferOutput<typeof databaseCreateInput>;

/** An edit of a database; members that are left out stay. */
export const databaseUpdateInput = v.strictObject({
  properties: v.exactOptional(propertyUpdateInputs),
  ...look,
  archived: v.exactOptional(
    v.pipe(v.boolean(), v.description("Alias of `in_trash`.")),
  ),
  in_trash: v.exactOptional(
    v.pipe(
      v.boolean(),
      v.description("True moves the database to the trash, false restores it."),
    ),
  ),
});
component(
  databaseUpdateInput,
  "DatabaseUpdateInput",
  "Changes to a database. Fields that you leave out keep their values.",
);
export type DatabaseUpdateInput = v.InferOutput<typeof databaseUpdateInput>;
