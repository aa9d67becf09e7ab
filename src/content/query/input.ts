/**
 * Queries as clients write them.
 *
 * @module
 */
import * as v from "valibot";
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

/** One operator, by name, with its operand; of a formula or rollup a condition one level deeper. */
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

/** Kinds that are asked in the same way share one schema, and so one type in generated clients. */
const known = new Map<Operators, ConditionSchema>();

function condition(operators: Operators): ConditionSchema {
  const operands = Object.entries(operators).map(([name, { operand }]) => [name, operand]);
  const schema = known.get(operators) ?? oneOf(Object.fromEntries(operands));
  known.set(operators, schema);
  return schema;
}

function conditionsBy(operators: ReadonlyMap<string, Operators>): Record<string, ConditionSchema> {
  return Object.fromEntries([...operators].map(([key, of]) => [key, condition(of)]));
}

/** The condition on one item of a rollup. */
export const itemCondition = oneOf(conditionsBy(ITEM_OPERATORS));

/** The name of a condition on a property: a type, or `text` for all that is text. */
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

type Conditions = { readonly [Key in FilterKey]?: ConditionInput };
type Timestamp = "created_time" | "last_edited_time";

/** A condition, or several of which all or any must hold. */
export type FilterInput =
  | { readonly and: readonly FilterInput[] }
  | { readonly or: readonly FilterInput[] }
  | { readonly timestamp: Timestamp } & Conditions
  | { readonly property: string } & Conditions;

const property = v.pipe(
  v.string(),
  v.maxLength(LIMITS.textContent),
  v.description("Name or id of a property."),
);

export const propertyConditions: Members = Object.fromEntries(
  Object.entries(CONDITIONS).map(([key, schema]) => [
    key,
    v.strictObject({ property, type: v.exactOptional(v.literal(key)), [key]: schema }),
  ]),
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

function several(name: "and" | "or"): v.GenericSchema {
  return v.strictObject({ [name]: v.pipe(v.array(filterInput), v.maxLength(LIMITS.filterArray)) });
}

/** A filter as a client writes it. */
export const filterInput: v.GenericSchema<unknown, FilterInput> = v.lazy((input) => {
  // Sound because the members are just those of FilterInput.
  return schemaFor(input) as v.GenericSchema<unknown, FilterInput>;
});

/** The members of a filter, by what tells them apart. */
export const COMPOUNDS = { and: several("and"), or: several("or") };
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

/** One step of an order; the first decides before the others. */
export const sortInput = byKey(sortInputs, missing(sortInputs, "an object with one of"));
export type SortInput = v.InferOutput<typeof sortInput>;

/** Which rows are asked for, and in which order. */
export const queryInput = {
  filter: v.exactOptional(filterInput),
  sorts: v.exactOptional(v.pipe(v.array(sortInput), v.maxLength(LIMITS.sorts))),
};
