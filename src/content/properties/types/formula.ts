/**
 * Formulas, which are computed when they are read.
 *
 * @module
 */
import * as v from "valibot";
import { component } from "../../../shared/component.ts";
import type { Cell } from "../../schema/cells.ts";
import { dateValue } from "../../values/dates.ts";
import { LIMITS } from "../../values/limits.ts";
import { type ConfigKind, propertyKind } from "../property_kind.ts";
import { numberCells, textCells, whole } from "../shared/collect.ts";
import { dateCells } from "./date.ts";

interface FormulaConfig {
  /** It names properties by id, so that a rename does not touch it. */
  readonly expression: string;
}

const expression = v.pipe(
  v.string(),
  v.maxLength(LIMITS.expression),
  v.description("Expression in the formula language. It refers to properties by name or ID."),
);

const config: ConfigKind<FormulaConfig, Partial<FormulaConfig>, FormulaConfig> = {
  input: v.strictObject({ expression: v.exactOptional(expression) }),
  output: v.object({ expression: v.string() }),
  // The new expression is compiled once all properties of the request have their names.
  draft: (_input, { same }) => ({ expression: same?.expression ?? "" }),
  show: ({ expression }, { shownExpression }) => ({ expression: shownExpression(expression) }),
};

/** The output schema of a formula's result. */
export const formulaValue = v.variant("type", [
  v.object({ type: v.literal("string"), string: v.nullable(v.string()) }),
  v.object({ type: v.literal("number"), number: v.nullable(v.number()) }),
  v.object({ type: v.literal("boolean"), boolean: v.nullable(v.boolean()) }),
  v.object({ type: v.literal("date"), date: v.nullable(dateValue) }),
]);
component(formulaValue, "FormulaValue", "The result of a formula, in the field that `type` names.");
export type FormulaValue = v.InferOutput<typeof formulaValue>;

/** The cells of a formula's result; none if it is empty. */
export function formulaCells(value: FormulaValue): readonly Cell[] {
  switch (value.type) {
    case "string":
      return textCells(value.string);
    case "number":
      return numberCells(value.number);
    case "boolean":
      return numberCells(value.boolean === null ? null : Number(value.boolean));
    case "date":
      return dateCells(value.date);
  }
}

export const formula = propertyKind({
  config,
  output: formulaValue,
  // Sound because `computed` gives what a formula reads as.
  toRead: (_stored, property, { computed }) => computed(property) as FormulaValue,
  collect: {
    parts: whole((value) => {
      const content: unknown = Reflect.get(value, value.type);
      return content === null || content === "" ? null : JSON.stringify(content);
    }),
    cells: formulaCells,
  },
});
