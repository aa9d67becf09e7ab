/**
 * The values of formulas as they are answered.
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

/** A formula's value on the wire. */
export type FormulaAnswer =
  | { readonly type: "string"; readonly string: string | null }
  | { readonly type: "number"; readonly number: number | null }
  | { readonly type: "boolean"; readonly boolean: boolean | null }
  | { readonly type: "date"; readonly date: DateValue | null };

export interface AnswerOptions {
  readonly resultType: FormulaResultType;
  /** The IANA name of the time zone of its evaluation. */
  readonly timeZone: string;
}

/** The answer for a value; lists, people and pages read as text, those of lists joined by `, `. */
export function toAnswer(
  value: FormulaValue,
  { resultType: type, timeZone }: AnswerOptions,
): FormulaAnswer {
  switch (type) {
    case "number":
      return { type, number: typeof value === "number" ? value : null };
    case "boolean":
      return { type, boolean: typeof value === "boolean" ? value : null };
    case "date":
      return { type, date: isDate(value) ? toDateValue(value, timeZone) : null };
    case "string":
      return { type, string: value === null ? null : answeredText(value, timeZone) };
  }
}

function isDate(value: FormulaValue): value is FormulaDate {
  return value !== null && typeof value === "object" && !isList(value) && value.kind === "date";
}

/** The date as properties have it: days as days, moments in UTC. */
export function toDateValue({ start, end, hasTime }: FormulaDate, timeZone: string): DateValue {
  const show = (time: number) => hasTime ? new Date(time).toISOString() : dayText(time, timeZone);
  return { start: show(start), end: end === null ? null : show(end), time_zone: null };
}

function dayText(time: number, timeZone: string): string {
  const { year, month, day } = fieldsOf(toWall(time, timeZone));
  return `${padded(year, 4)}-${padded(month)}-${padded(day)}`;
}

/** Null for a text that would be longer than any formula may make. */
function answeredText(value: FormulaValue, zone: string): string | null {
  const reading: ComparisonContext = { zone, left: MAX_WORK };
  try {
    return textOf(value, reading);
  } catch (error) {
    if (error instanceof LimitError) return null;
    throw error;
  }
}
