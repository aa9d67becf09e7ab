/**
 * Properties that the service computes when they are read, and buttons, which have no value.
 *
 * @module
 */
import * as v from "valibot";
import { component } from "../../shared/component.ts";
import { ROLLUP_FUNCTIONS } from "../schema/rollup_functions.ts";
import { dateValue } from "../values/dates.ts";
import { propertyKind } from "./property_type.ts";

const nullableNumber = v.nullable(v.number());
const nullableDate = v.nullable(dateValue);

/** The value of a formula, as it is answered. */
export const formulaValue = v.variant("type", [
  v.object({ type: v.literal("string"), string: v.nullable(v.string()) }),
  v.object({ type: v.literal("number"), number: nullableNumber }),
  v.object({ type: v.literal("boolean"), boolean: v.nullable(v.boolean()) }),
  v.object({ type: v.literal("date"), date: nullableDate }),
]);
component(formulaValue, "FormulaValue", "The result of a formula, in the field that `type` names.");
export type FormulaValue = v.InferOutput<typeof formulaValue>;

export const formula = propertyKind("formula", {
  output: formulaValue,
  // Sound because of what `computed` promises of a formula.
  answer: (_kept, property, { computed }) => computed(property) as FormulaValue,
});

/** A rollup over values of which each meets this schema. */
export function rollupOf<Item>(item: v.GenericSchema<unknown, Item>) {
  const common = { function: v.picklist(ROLLUP_FUNCTIONS) };
  const output = v.variant("type", [
    v.object({ type: v.literal("number"), number: nullableNumber, ...common }),
    v.object({ type: v.literal("date"), date: nullableDate, ...common }),
    v.object({ type: v.literal("array"), array: v.array(item), ...common }),
    v.object({ type: v.literal("unsupported"), unsupported: v.object({}), ...common }),
  ]);
  return propertyKind("rollup", {
    output,
    item,
    // Sound because of what `computed` promises of a rollup.
    answer: (_kept, property, { computed }) => computed(property) as v.InferOutput<typeof output>,
  });
}

export const button = propertyKind("button", { output: v.object({}), answer: () => ({}) });
