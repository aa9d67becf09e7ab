/**
 * The values of the formula language: emptiness, equality, order and text.
 *
 * @module
 */
import { dateText } from "./calendar.ts";
import {
  checkLength,
  type ComputeBudget,
  spend,
  spendOnComparison,
  spendOnNew,
} from "./compute_budget.ts";

/** A date, a datetime, or a range; times are in milliseconds since the epoch. */
export interface FormulaDate {
  readonly kind: "date";
  /** For a date without a time, midnight in the time zone of the evaluation. */
  readonly start: number;
  /** The inclusive end of a range; null for a single date. */
  readonly end: number | null;
  /** False for dates without a time. */
  readonly hasTime: boolean;
}

export interface FormulaPerson {
  readonly kind: "person";
  readonly id: string;
  readonly name: string | null;
  /** Null if there is none or the reader may not see it. */
  readonly email: string | null;
}

export interface FormulaPage {
  readonly kind: "page";
  readonly id: string;
  readonly title: string;
}

/** A value; null is the missing value. Numbers are finite. */
export type FormulaValue =
  | null
  | string
  | number
  | boolean
  | FormulaDate
  | FormulaPerson
  | FormulaPage
  | readonly FormulaValue[];

/** The context that turns values into text: a time zone, and a budget to charge. */
export interface ComparisonContext extends ComputeBudget {
  /** IANA name of the time zone in which dates are shown. */
  readonly zone: string;
}

export function isList(value: FormulaValue): value is readonly FormulaValue[] {
  return Array.isArray(value);
}

/**
 * Returns whether a value is empty, and so counts as false: missing, `""`, `0`, `false` and `[]`.
 */
export function isEmpty(value: FormulaValue): boolean {
  if (value === null || value === "" || value === 0 || value === false) return true;
  return isList(value) && value.length === 0;
}

/** The number, or null, the missing value, if it is not finite. */
export function finite(number: number): number | null {
  // Turns -0 into 0.
  return Number.isFinite(number) ? number + 0 : null;
}

/** Returns whether two values of one type are equal; a missing value equals `""` and `[]`. */
export function equalValues(a: FormulaValue, b: FormulaValue, budget: ComputeBudget): boolean {
  spendOnComparison(budget, a, b);
  if (a === b) return true;
  if (a === null || b === null) return isBlank(a) && isBlank(b);
  if (typeof a !== "object" || typeof b !== "object") return false;
  if (isList(a)) return isList(b) && equalLists(a, b, budget);
  if (isList(b) || a.kind !== b.kind) return false;
  if (a.kind === "date" && b.kind === "date") return a.start === b.start && a.end === b.end;
  return a.kind !== "date" && b.kind !== "date" && a.id === b.id;
}

function equalLists(
  a: readonly FormulaValue[],
  b: readonly FormulaValue[],
  budget: ComputeBudget,
): boolean {
  spend(budget, a.length);
  return a.length === b.length && a.every((item, i) => equalValues(item, b[i] ?? null, budget));
}

function isBlank(value: FormulaValue): boolean {
  return value === null || value === "" || (isList(value) && value.length === 0);
}

/** Compares two values of one type for sorting; missing values come last. */
export function compareValues(
  a: FormulaValue,
  b: FormulaValue,
  context: ComparisonContext,
): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const left = orderOf(a, context);
  const right = orderOf(b, context);
  spendOnComparison(context, left, right);
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function orderOf(value: FormulaValue, context: ComparisonContext): number | string {
  if (typeof value === "number" || typeof value === "string") return value;
  if (typeof value === "boolean") return Number(value);
  if (value !== null && !isList(value) && value.kind === "date") return value.start;
  return textOf(value, context);
}

/** A key that is the same for equal values of a type, and only for those. */
export function equalityKey(value: FormulaValue, budget: ComputeBudget): string | number | boolean {
  if (value === null || isBlank(value)) return "";
  if (isList(value)) return keyOfItems(value, budget);
  if (typeof value === "string") spendOnNew(budget, value);
  if (typeof value !== "object") return value;
  return value.kind === "date" ? `${value.start}/${value.end}` : value.id;
}

/** Each key follows its length, so that no other keys make the same text. */
function keyOfItems(items: readonly FormulaValue[], budget: ComputeBudget): string {
  spend(budget, items.length);
  let text = "";
  for (const item of items) {
    const key = String(equalityKey(item, budget));
    text += `${key.length}:${key}`;
  }
  return text;
}

/** The text that shows a value; `""` for the missing value. */
export function textOf(value: FormulaValue, context: ComparisonContext): string {
  if (value === null) return "";
  if (typeof value !== "object") return String(value);
  if (isList(value)) return joined(value, ", ", context);
  if (value.kind === "date") return dateText(value, context.zone);
  return value.kind === "person" ? value.name ?? "" : value.title;
}

/** The texts of all items, joined by a separator. */
export function joined(
  list: readonly FormulaValue[],
  separator: string,
  context: ComparisonContext,
): string {
  spend(context, list.length);
  let text = "";
  for (const [i, item] of list.entries()) {
    text += i === 0 ? textOf(item, context) : separator + textOf(item, context);
    checkLength(text.length);
  }
  return text;
}
