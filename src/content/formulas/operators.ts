/**
 * The operators of the formula language: the operands they accept and what they compute.
 *
 * @module
 */
import type { BinaryOperator } from "./ast.ts";
import type { CompiledExpression, Frame, Run } from "./environment.ts";
import { BOOLEAN, commonType, type FormulaType, NUMBER, TEXT } from "./types.ts";
import {
  compareValues,
  equalValues,
  finite,
  type FormulaValue,
  isEmpty,
  textOf,
} from "./values.ts";
import { boundedText, spendOnNew } from "./compute_budget.ts";

type Operation = (
  left: CompiledExpression,
  right: CompiledExpression,
) => CompiledExpression | undefined;

const TWO_NUMBERS = "two numbers";
const COMPARABLE = "two numbers, texts, dates or booleans";
const SAME_TYPE = "two values of one type";

/** The operands each operator expects, and its operation, which is undefined for other operands. */
const BINARY: Readonly<Record<BinaryOperator, readonly [expects: string, Operation]>> = {
  "or": ["two values", logical((left, right, frame) => left(frame) || right(frame))],
  "and": ["two values", logical((left, right, frame) => left(frame) && right(frame))],
  "==": [SAME_TYPE, equality(true)],
  "!=": [SAME_TYPE, equality(false)],
  "<": [COMPARABLE, comparison((order) => order < 0)],
  "<=": [COMPARABLE, comparison((order) => order <= 0)],
  ">": [COMPARABLE, comparison((order) => order > 0)],
  ">=": [COMPARABLE, comparison((order) => order >= 0)],
  "+": ["two numbers, or a text on one side", plus],
  "-": [TWO_NUMBERS, arithmetic((a, b) => a - b)],
  "*": [TWO_NUMBERS, arithmetic((a, b) => a * b)],
  "/": [TWO_NUMBERS, arithmetic((a, b) => a / b)],
  "%": [TWO_NUMBERS, arithmetic((a, b) => a % b)],
  "^": [TWO_NUMBERS, arithmetic((a, b) => a ** b)],
};

/** Applies an operator to two operands; returns what it expects if it does not accept them. */
export function binary(
  operator: BinaryOperator,
  left: CompiledExpression,
  right: CompiledExpression,
): CompiledExpression | { readonly expected: string } {
  const [expected, operation] = BINARY[operator];
  return operation(left, right) ?? { expected };
}

/** True if the value is empty. */
export function negation({ run }: CompiledExpression): CompiledExpression {
  return { type: BOOLEAN, run: (frame) => isEmpty(run(frame)) };
}

/** The number with the opposite sign; undefined for anything but a number. */
export function negative({ type, run }: CompiledExpression): CompiledExpression | undefined {
  if (!isNumber(type)) return undefined;
  return {
    type: NUMBER,
    run: (frame) => {
      const value = run(frame);
      return typeof value === "number" ? 0 - value : null;
    },
  };
}

/** The number itself; undefined for anything but a number. */
export function positive(operand: CompiledExpression): CompiledExpression | undefined {
  return isNumber(operand.type) ? operand : undefined;
}

/** The number to calculate with; a missing value counts as 0. */
function amount(value: FormulaValue): number {
  return typeof value === "number" ? value : 0;
}

function arithmetic(apply: (a: number, b: number) => number): Operation {
  return (left, right) => {
    if (!isNumber(left.type) || !isNumber(right.type)) return undefined;
    const [a, b] = [left.run, right.run];
    return { type: NUMBER, run: (frame) => finite(apply(amount(a(frame)), amount(b(frame)))) };
  };
}

function plus(left: CompiledExpression, right: CompiledExpression): CompiledExpression | undefined {
  if (left.type.kind !== "text" && right.type.kind !== "text") {
    return arithmetic((a, b) => a + b)(left, right);
  }
  const [a, b] = [left.run, right.run];
  return {
    type: TEXT,
    run: (frame) => {
      const text = boundedText(textOf(a(frame), frame) + textOf(b(frame), frame));
      spendOnNew(frame, text);
      return text;
    },
  };
}

function logical(
  apply: (left: Test, right: Test, frame: Frame) => boolean,
): Operation {
  return (left, right) => {
    const [a, b] = [testOf(left.run), testOf(right.run)];
    return { type: BOOLEAN, run: (frame) => apply(a, b, frame) };
  };
}

type Test = (frame: Frame) => boolean;

function testOf(run: Run): Test {
  return (frame) => !isEmpty(run(frame));
}

function equality(equal: boolean): Operation {
  return (left, right) => {
    if (commonType(left.type, right.type) === undefined) return undefined;
    const [a, b] = [left.run, right.run];
    return { type: BOOLEAN, run: (frame) => equalValues(a(frame), b(frame), frame) === equal };
  };
}

const ORDERED = new Set<FormulaType["kind"]>(["number", "text", "date", "boolean", "empty"]);

/** Comparisons with a missing value are false. */
function comparison(holds: (order: number) => boolean): Operation {
  return (left, right) => {
    const type = commonType(left.type, right.type);
    if (type === undefined || !ORDERED.has(type.kind)) return undefined;
    const [a, b] = [left.run, right.run];
    return {
      type: BOOLEAN,
      run: (frame) => {
        const [first, second] = [a(frame), b(frame)];
        if (first === null || second === null) return false;
        return holds(compareValues(first, second, frame));
      },
    };
  };
}

function isNumber({ kind }: FormulaType): boolean {
  return kind === "number" || kind === "empty";
}
