/**
 * The results of formulas in the form that the API returns.
 *
 * @module
 */
import type { DateValue } from "../values/dates.ts";
import { fieldsOf, padded, toWall } from "./calendar.ts";
import type { FormulaResultType } from "./types.ts";
import {
  type ComparisonContext,
  type FormulaDate,
  type FormulaValue,
  isList,
  textOf,
} from "./values.ts";
import { LimitError, MAX_WORK } from "./compute_budget.ts";

/** The result of a formula as the API returns it. */
export type FormulaResult =
  | { readonly type: "string"; readonly string: string | null }
  | { readonly type: "number"; readonly number: number | null }
  | { readonly type: "boolean"; readonly boolean: boolean | null }
  | { readonly type: "date"; readonly date: DateValue | null };

export interface ResultOptions {
  readonly resultType: FormulaResultType;
  /** IANA name of the time zone that the formula was evaluated in. */
  readonly timeZone: string;
}

/**
 * Converts a value to a result. Lists, people and pages become text; list items are joined by `, `.
 */
export function toFormulaResult(
  value: FormulaValue,
  { resultType: type, timeZone }: ResultOptions,
): FormulaResult {
  switch (type) {
    case "number":
      return { type, number: typeof value === "number" ? value : null };
    case "boolean":
      return { type, boolean: typeof value === "boolean" ? value : null };
    case "date":
      return { type, date: isDate(value) ? toDateValue(value, timeZone) : null };
    case "string":
      return { type, string: value === null ? null : resultText(value, timeZone) };
  }
}

function isDate(value: FormulaValue): value is FormulaDate {
  return value !== null && typeof value === "object" && !isList(value) && value.kind === "date";
}

/**
 * The date in the form of date properties: dates without a time stay days, datetimes are in UTC.
 */
export function toDateValue({ start, end, hasTime }: FormulaDate, timeZone: string): DateValue {
  const show = (time: number) => hasTime ? new Date(time).toISOString() : dayText(time, timeZone);
  return { start: show(start), end: end === null ? null : show(end), time_zone: null };
}

function dayText(time: number, timeZone: string): string {
  const { year, month, day } = fieldsOf(toWall(time, timeZone));
  return `${padded(year, 4)}-${padded(month)}-${padded(day)}`;
}

/** Null if the text would be longer than formulas may produce. */
function resultText(value: FormulaValue, zone: string): string | null {
  const context: ComparisonContext = { zone, left: MAX_WORK };
  try {
    return textOf(value, context);
  } catch (error) {
    if (error instanceof LimitError) return null;
    throw error;
  }
}
