/**
 * Schemas of the queries that clients write.
 *
 * @module
 */
import * as v from "valibot";
import { component, componentOfEach } from "../../shared/component.ts";
import { LIMITS } from "../values/limits.ts";
import { byKey, missing } from "../values/union.ts";
import {
  checkboxes,
  dates,
  numbers,
  type Operators,
  texts,
} from "../properties/shared/operators.ts";
import type { PropertyType } from "../schema/property.ts";
import { ITEM_OPERATORS, OPERATORS } from "./operators.ts";

/** One operator with its operand; for formulas and rollups, the operand is itself a condition. */
export interface ConditionInput {
  readonly [operator: string]: unknown;
}
type ConditionSchema = v.GenericSchema<unknown, ConditionInput>;

type Members = Readonly<Record<string, v.GenericSchema>>;

/** An object with exactly one of these members. */
function oneOf(members: Members): ConditionSchema {
  const none = missing(members, "an object with one of");
  const objects = Object.entries(members)
    .map(([name, schema]) => [name, v.strictObject({ [name]: schema })]);
  return byKey(Object.fromEntries(objects) as Readonly<Record<string, ConditionSchema>>, none);
}

/** Kinds with the same operators share one schema, and so one type in generated clients. */
const schemas = new Map<Operators, ConditionSchema>();

function condition(operators: Operators): ConditionSchema {
  const operands = Object.entries(operators).map(([name, { operand }]) => [name, operand]);
  const schema = schemas.get(operators) ?? oneOf(Object.fromEntries(operands));
  schemas.set(operators, schema);
  return schema;
}

function conditionsBy(operators: ReadonlyMap<string, Operators>): Record<string, ConditionSchema> {
  return Object.fromEntries([...operators].map(([key, of]) => [key, condition(of)]));
}

/** The condition on one item of a rollup. */
export const itemCondition = oneOf(conditionsBy(ITEM_OPERATORS));
component(
  itemCondition,
  "RollupItemCondition",
  "A condition on one value that a rollup collected, under the key of its type.",
);

/** The name of a condition on a property: a type, or `text` for all types of text. */
type FilterKey = PropertyType | "text";

/** The condition on a property of each kind. */
// Sound because every type that has a value has its conditions here.
export const CONDITIONS = {
  ...conditionsBy(OPERATORS),
  formula: oneOf({
    string: condition(texts),
    number: condition(numbers),
    checkbox: condition(checkboxes),
    date: condition(dates),
  }),
  rollup: oneOf({
    any: itemCondition,
    every: itemCondition,
    none: itemCondition,
    number: condition(numbers),
    date: condition(dates),
  }),
} as Readonly<Record<Exclude<FilterKey, "button">, ConditionSchema>>;
component(CONDITIONS.rich_text, "TextCondition", "A condition on text: exactly one operator.");
component(CONDITIONS.number, "NumberCondition", "A condition on a number: exactly one operator.");
component(
  CONDITIONS.checkbox,
  "CheckboxCondition",
  "A condition on a checkbox: exactly one operator.",
);
component(
  CONDITIONS.select,
  "OptionCondition",
  "A condition on the selected option: exactly one operator.",
);
component(
  CONDITIONS.multi_select,
  "OptionsCondition",
  "A condition on the selected options: exactly one operator.",
);
component(CONDITIONS.date, "DateCondition", "A condition on a date: exactly one operator.");
component(
  CONDITIONS.people,
  "ReferenceCondition",
  "A condition on references to users or rows: exactly one operator.",
);
component(CONDITIONS.files, "FilesCondition", "A condition on files: exactly one operator.");
component(
  CONDITIONS.verification,
  "VerificationCondition",
  "A condition on a verification: exactly one operator.",
);
component(
  CONDITIONS.formula,
  "FormulaCondition",
  "A condition on the result of a formula, under the key of its type.",
);
component(
  CONDITIONS.rollup,
  "RollupCondition",
  "A condition on a rollup: on its collected values, or on its number or date.",
);

type Conditions = { readonly [Key in FilterKey]?: ConditionInput };
type Timestamp = "created_time" | "last_edited_time";

/** A condition, or a compound of conditions that must all hold, or of which any must hold. */
export type FilterInput =
  | { readonly and: readonly FilterInput[] }
  | { readonly or: readonly FilterInput[] }
  | { readonly timestamp: Timestamp } & Conditions
  | { readonly property: string } & Conditions;

const property = v.pipe(
  v.string(),
  v.maxLength(LIMITS.textContent),
  v.description("Name or ID of a property."),
);

export const propertyConditions: Members = Object.fromEntries(
  Object.entries(CONDITIONS).map(([key, schema]) => [
    key,
    v.strictObject({ property, type: v.exactOptional(v.literal(key)), [key]: schema }),
  ]),
);
componentOfEach(
  propertyConditions,
  "Filter*Property",
  (type) => `Matches rows by a property of type \`${type}\`.`,
);

function timestampCondition(time: Timestamp): v.GenericSchema {
  return v.strictObject({
    timestamp: v.literal(time),
    type: v.exactOptional(v.literal(time)),
    [time]: condition(dates),
  });
}

export const timestampConditions = {
  created_time: timestampCondition("created_time"),
  last_edited_time: timestampCondition("last_edited_time"),
};
component(
  timestampConditions.created_time,
  "FilterCreatedTime",
  "Matches rows by the time they were created.",
);
component(
  timestampConditions.last_edited_time,
  "FilterLastEditedTime",
  "Matches rows by the time they were last edited.",
);

function compoundSchema(name: "and" | "or"): v.GenericSchema {
  return v.strictObject({ [name]: v.pipe(v.array(filterInput), v.maxLength(LIMITS.filterArray)) });
}

/** A filter as a client writes it. */
export const filterInput: v.GenericSchema<unknown, FilterInput> = v.lazy((input) => {
  // Sound because the members are exactly those of FilterInput.
  return schemaFor(input) as v.GenericSchema<unknown, FilterInput>;
});
component(
  filterInput,
  "Filter",
  "A condition on a property or timestamp, or several conditions combined by `and` or `or`.",
);

/** The members of a filter, by what tells them apart. */
export const COMPOUNDS = { and: compoundSchema("and"), or: compoundSchema("or") };
component(COMPOUNDS.and, "FilterAnd", "Matches rows that meet all conditions.");
component(COMPOUNDS.or, "FilterOr", "Matches rows that meet at least one condition.");
const onProperty = byKey(
  propertyConditions,
  missing(propertyConditions, "an object with `and` or `or`, or with `property` and one of"),
);
const onTimestamp = byKey(
  timestampConditions,
  missing(timestampConditions, "an object with `timestamp` and one of"),
);
const anyFilter = v.union([
  ...Object.values(COMPOUNDS),
  ...Object.values(timestampConditions),
  ...Object.values(propertyConditions),
]);

function schemaFor(input: unknown): v.GenericSchema {
  if (input === undefined) return anyFilter;
  if (typeof input !== "object" || input === null) return onProperty;
  if ("and" in input) return COMPOUNDS.and;
  if ("or" in input) return COMPOUNDS.or;
  return "timestamp" in input ? onTimestamp : onProperty;
}

const direction = v.picklist(["ascending", "descending"]);

const sortInputs = {
  property: v.strictObject({ property, direction }),
  timestamp: v.strictObject({
    timestamp: v.picklist(["created_time", "last_edited_time"]),
    direction,
  }),
};

/** One sort of a query; earlier sorts take precedence. */
export const sortInput = byKey(sortInputs, missing(sortInputs, "an object with one of"));
component(
  sortInput,
  "Sort",
  "One sort criterion. Earlier criteria take precedence over later ones.",
);
export type SortInput = v.InferOutput<typeof sortInput>;

/** Members of a query's body that select and order rows. */
export const queryInput = {
  filter: v.exactOptional(filterInput),
  sorts: v.exactOptional(v.pipe(v.array(sortInput), v.maxLength(LIMITS.sorts))),
};
