/**
 * The values of the formula language: how they are told empty, compared and read as text.
 *
 * @module
 */
import { dateText } from "./calendar.ts";
import { boundedText, checkLength, type ComputeBudget, spend } from "./compute_budget.ts";

/** A moment or a day, or a range of them; times in milliseconds since the epoch. */
export interface FormulaDate {
  readonly kind: "date";
  /** Of a day its midnight in the time zone of the evaluation. */
  readonly start: number;
  /** The end of a range, itself in it; null where there is none. */
  readonly end: number | null;
  /** False of days. */
  readonly hasTime: boolean;
}

export interface FormulaPerson {
  readonly kind: "person";
  readonly id: string;
  readonly name: string | null;
  /** Null where there is none, or the reader may not see it. */
  readonly email: string | null;
}

export interface FormulaPage {
  readonly kind: "page";
  readonly id: string;
  readonly title: string;
}

/** A value; null is the missing one. Numbers are finite. */
export type FormulaValue =
  | null
  | string
  | number
  | boolean
  | FormulaDate
  | FormulaPerson
  | FormulaPage
  | readonly FormulaValue[];

/** What an evaluation needs to read values as text. */
export interface ComparisonContext extends ComputeBudget {
  /** IANA name of the time zone in which dates are read. */
  readonly zone: string;
}

export function isList(value: FormulaValue): value is readonly FormulaValue[] {
  return Array.isArray(value);
}

/** Whether a value counts as empty, and so as false: missing, `""`, `0`, `false` and `[]`. */
export function isEmpty(value: FormulaValue): boolean {
  if (value === null || value === "" || value === 0 || value === false) return true;
  return isList(value) && value.length === 0;
}

/** The number itself; null, a missing value, where it is not finite. */
export function finite(number: number): number | null {
  // Of the two zeros a formula knows one.
  return Number.isFinite(number) ? number + 0 : null;
}

/** Whether two values of one type are equal; a missing value, `""` and `[]` are. */
export function equalValues(a: FormulaValue, b: FormulaValue, work: ComputeBudget): boolean {
  if (a === b) return true;
  if (a === null || b === null) return isBlank(a) && isBlank(b);
  if (typeof a !== "object" || typeof b !== "object") return false;
  if (isList(a)) return isList(b) && equalLists(a, b, work);
  if (isList(b) || a.kind !== b.kind) return false;
  if (a.kind === "date" && b.kind === "date") return a.start === b.start && a.end === b.end;
  return a.kind !== "date" && b.kind !== "date" && a.id === b.id;
}

function equalLists(
  a: readonly FormulaValue[],
  b: readonly FormulaValue[],
  work: ComputeBudget,
): boolean {
  spend(work, a.length);
  return a.length === b.length && a.every((item, i) => equalValues(item, b[i] ?? null, work));
}

function isBlank(value: FormulaValue): boolean {
  return value === null || value === "" || (isList(value) && value.length === 0);
}

/** Negative, 0 or positive, as two values of one type stand in order; missing values come last. */
export function compareValues(
  a: FormulaValue,
  b: FormulaValue,
  reading: ComparisonContext,
): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const left = orderOf(a, reading);
  const right = orderOf(b, reading);
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function orderOf(value: FormulaValue, reading: ComparisonContext): number | string {
  if (typeof value === "number" || typeof value === "string") return value;
  if (typeof value === "boolean") return Number(value);
  if (value !== null && !isList(value) && value.kind === "date") return value.start;
  return textOf(value, reading);
}

/** A key that equal values, and no others of their type, share. */
export function keyOf(value: FormulaValue, work: ComputeBudget): string | number | boolean | null {
  if (isBlank(value)) return "";
  if (value === null || typeof value !== "object") return value;
  if (isList(value)) {
    spend(work, value.length);
    const keys = value.map((item) => keyOf(item, work));
    return boundedText(JSON.stringify(keys));
  }
  return value.kind === "date" ? `${value.start}/${value.end}` : value.id;
}

/** The text that a value is shown as; of a missing one `""`. */
export function textOf(value: FormulaValue, reading: ComparisonContext): string {
  if (value === null) return "";
  if (typeof value !== "object") return String(value);
  if (isList(value)) return joined(value, ", ", reading);
  if (value.kind === "date") return dateText(value, reading.zone);
  return value.kind === "person" ? value.name ?? "" : value.title;
}

/** The texts of all items with a separator between them. */
export function joined(
  list: readonly FormulaValue[],
  separator: string,
  reading: ComparisonContext,
): string {
  spend(reading, list.length);
  let text = "";
  for (const [i, item] of list.entries()) {
    text += i === 0 ? textOf(item, reading) : separator + textOf(item, reading);
    checkLength(text.length);
  }
  return text;
}
