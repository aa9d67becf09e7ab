/**
 * The table of property types: how the configuration of each is written and how it is read.
 *
 * @module
 */
import * as v from "valibot";
import { component } from "../../shared/component.ts";
import { optionColor } from "../values/colors.ts";
import { MAX_EXPRESSION } from "../formulas/compute_budget.ts";
import { idInput, idOutput } from "../values/ids.ts";
import { LIMITS } from "../values/limits.ts";
import { byKey } from "../values/union.ts";
import { NUMBER_FORMATS } from "./number_formats.ts";
import { ROLLUP_FUNCTIONS } from "../schema/rollup_functions.ts";
import type { PropertyType } from "../schema/property.ts";

/**
 * The configuration of one type. What is left out of a new one has a default, of a changed one it
 * stays.
 */
interface ConfigSpec {
  readonly write: v.GenericSchema;
  readonly read: v.GenericSchema;
}

const plain = { write: v.strictObject({}), read: v.object({}) } satisfies ConfigSpec;

const format = v.pipe(v.picklist(NUMBER_FORMATS), v.description("How the number is displayed."));
const number = {
  write: v.strictObject({ format: v.exactOptional(format) }),
  read: v.object({ format }),
} satisfies ConfigSpec;

const reference = v.pipe(v.string(), v.minLength(1), v.maxLength(LIMITS.name));

const optionName = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(LIMITS.optionName),
  v.regex(/^[^,]*$/, "a name without commas"),
  v.description("Name of the option: unique within the property and without commas."),
);

/** What a property or an option is for, in words. */
export const descriptionInput = v.pipe(
  v.nullable(v.pipe(v.string(), v.maxLength(LIMITS.propertyDescription))),
  v.description("What the property or option is for. Null clears it."),
);

/** An option as a client writes it; one that exists is found by id, or else by name. */
export const optionInput = v.strictObject({
  id: v.exactOptional(reference),
  name: v.exactOptional(optionName),
  color: v.exactOptional(v.pipe(optionColor, v.description("Color of a new option."))),
  description: v.exactOptional(descriptionInput),
});
component(
  optionInput,
  "OptionDefinitionInput",
  "An option to define. An existing option is found by `id`, or else by `name`.",
);
export type OptionInput = v.InferOutput<typeof optionInput>;

/** An option of a select, multi-select or status as it is answered. */
export const option = v.object({
  id: v.string(),
  name: v.string(),
  color: optionColor,
  description: v.nullable(v.string()),
});
component(option, "Option", "An option of a `select`, `multi_select` or `status` property.");

const options = v.pipe(v.array(optionInput), v.maxLength(LIMITS.options));
const choices = {
  write: v.strictObject({
    options: v.exactOptional(
      v.pipe(
        options,
        v.description("All options in display order. Options that you leave out are removed."),
      ),
    ),
  }),
  read: v.object({ options: v.array(option) }),
} satisfies ConfigSpec;

/** A group of a status as a client writes it; one that exists is found by id, or else by name. */
export const groupInput = v.strictObject({
  id: v.exactOptional(reference),
  name: v.exactOptional(v.pipe(v.string(), v.minLength(1), v.maxLength(LIMITS.optionName))),
  color: v.exactOptional(optionColor),
  option_ids: v.exactOptional(v.pipe(
    v.array(reference),
    v.maxLength(LIMITS.options),
    v.description("IDs or names of the options in the group."),
  )),
});
component(
  groupInput,
  "OptionGroupInput",
  "A group of options to define. An existing group is found by `id`, or else by `name`.",
);
export type GroupInput = v.InferOutput<typeof groupInput>;

/** A group of a status as it is answered. */
export const group = v.object({
  id: v.string(),
  name: v.string(),
  color: optionColor,
  option_ids: v.array(v.string()),
});
component(group, "OptionGroup", "A group of the options of a `status` property.");

/** How many groups the options of a status are in: to do, in progress, complete. */
const GROUP_COUNT = 3;

const status = {
  write: v.strictObject({
    options: v.exactOptional(v.pipe(
      options,
      v.minLength(1),
      v.description("All options in display order. Options that you leave out are removed."),
    )),
    groups: v.exactOptional(v.pipe(
      v.array(groupInput),
      v.minLength(GROUP_COUNT),
      v.maxLength(GROUP_COUNT),
      v.description(
        "The groups in display order. An option that no group lists stays in its group.",
      ),
    )),
  }),
  read: v.object({ options: v.array(option), groups: v.array(group) }),
} satisfies ConfigSpec;

const formula = {
  write: v.strictObject({
    expression: v.exactOptional(v.pipe(
      v.string(),
      v.maxLength(MAX_EXPRESSION),
      v.description("Expression in the formula language. It refers to properties by name or ID."),
    )),
  }),
  read: v.object({ expression: v.string() }),
} satisfies ConfigSpec;

const synced =
  "Name of the property that a new relation adds to the related database. Ignored otherwise.";
// Accepts nothing, so that one fault says what is missing.
const eitherRelation: v.GenericSchema<unknown, never> = v.custom<never>(
  () => false,
  "an object with `single_property` or `dual_property`",
);

/** A relation as a client writes it: one member of each kind. */
export const relationInputs = {
  single_property: v.strictObject({
    database_id: idInput,
    type: v.exactOptional(v.literal("single_property")),
    single_property: v.strictObject({}),
  }),
  dual_property: v.strictObject({
    database_id: idInput,
    type: v.exactOptional(v.literal("dual_property")),
    dual_property: v.strictObject({
      synced_property_id: v.exactOptional(v.pipe(v.string(), v.description("Ignored."))),
      synced_property_name: v.exactOptional(v.pipe(reference, v.description(synced))),
    }),
  }),
};
component(
  relationInputs.single_property,
  "SingleRelationInput",
  "A relation to define that is shown in this database only.",
);
component(
  relationInputs.dual_property,
  "DualRelationInput",
  "A relation to define that the related database shows as a property, too.",
);

/** A relation that shows its links on one side. */
export const singleRelation = v.object({
  database_id: idOutput,
  type: v.literal("single_property"),
  single_property: v.object({}),
});
component(singleRelation, "SingleRelation", "A relation that is shown in this database only.");

/** A relation whose other side is a property of the related database. */
export const dualRelation = v.object({
  database_id: idOutput,
  type: v.literal("dual_property"),
  dual_property: v.object({
    synced_property_id: v.string(),
    synced_property_name: v.string(),
  }),
});
component(
  dualRelation,
  "DualRelation",
  "A relation that the related database shows as a property, too.",
);

const relation = {
  write: byKey(relationInputs, eitherRelation),
  read: v.variant("type", [singleRelation, dualRelation]),
} satisfies ConfigSpec;

const rollupFunction = v.picklist(ROLLUP_FUNCTIONS);
const rollup = {
  write: v.strictObject({
    function: v.exactOptional(
      v.pipe(
        rollupFunction,
        v.description("Function that summarizes the collected values. Required for a new rollup."),
      ),
    ),
    relation_property_name: v.exactOptional(v.string()),
    relation_property_id: v.exactOptional(v.pipe(
      v.string(),
      v.description(
        "ID of the relation whose rows are rolled up. Required, unless you give its name.",
      ),
    )),
    rollup_property_name: v.exactOptional(v.string()),
    rollup_property_id: v.exactOptional(v.pipe(
      v.string(),
      v.description(
        "ID of the property of those rows to collect. Required, unless you give its name.",
      ),
    )),
  }),
  read: v.object({
    function: rollupFunction,
    relation_property_name: v.string(),
    relation_property_id: v.string(),
    rollup_property_name: v.string(),
    rollup_property_id: v.string(),
  }),
} satisfies ConfigSpec;

const prefix = v.pipe(v.string(), v.minLength(1), v.maxLength(LIMITS.optionName));
const uniqueId = {
  write: v.strictObject({
    prefix: v.exactOptional(
      v.pipe(v.nullable(prefix), v.description("Prefix of the number. Null if there is none.")),
    ),
  }),
  read: v.object({ prefix: v.nullable(v.string()) }),
} satisfies ConfigSpec;

/** Every property type; everything else about what clients see of a schema is derived from it. */
export const CONFIGS = {
  title: plain,
  rich_text: plain,
  number,
  select: choices,
  multi_select: choices,
  status,
  date: plain,
  people: plain,
  files: plain,
  checkbox: plain,
  url: plain,
  email: plain,
  phone_number: plain,
  formula,
  relation,
  rollup,
  unique_id: uniqueId,
  created_time: plain,
  created_by: plain,
  last_edited_time: plain,
  last_edited_by: plain,
  button: plain,
  verification: plain,
} satisfies Record<PropertyType, ConfigSpec>;

/** The configuration of a type as a client writes it. */
export type ConfigInput<T extends PropertyType> = v.InferOutput<(typeof CONFIGS)[T]["write"]>;

/** The configuration of a type as it is answered. */
export type ConfigOutput<T extends PropertyType> = v.InferOutput<(typeof CONFIGS)[T]["read"]>;

/** The names of all property types, in the order of the table. */
// Sound because the table has exactly these keys.
export const TYPE_NAMES = Object.keys(CONFIGS) as readonly PropertyType[];
