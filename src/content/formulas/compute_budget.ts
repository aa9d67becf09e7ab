/**
 * The bounds of formulas, and the work that they may do.
 *
 * @module
 */
import { LIMITS } from "../values/limits.ts";

/** Characters of an expression, in UTF-16 units. */
export const MAX_EXPRESSION = LIMITS.expression;
/** How deep an expression may nest: parentheses, calls, lists. */
export const MAX_NESTING = 200;
/** How tall the tree of an expression may be; a chain of operators grows it by one each. */
export const MAX_HEIGHT = 500;
/** Faults that one compilation tells. */
export const MAX_FORMULA_ISSUES = 20;
/** UTF-16 units of any text that a formula makes. */
export const MAX_TEXT = 100_000;
/** Items of any list that a formula makes. */
export const MAX_LIST = 10_000;
/** Units of work of one evaluation: about one for each item that is looked at. */
export const MAX_WORK = 100_000;
/** Units of work of all evaluations of one answer together: a second or a few. */
export const MAX_ANSWER_WORK = 5_000_000;
/** Rows that one query looks at, times its conditions and sorts. */
export const MAX_LOOKS = 25_000_000;
/** Characters of a pattern, or of the format of a date. */
export const MAX_PATTERN = 500;
/** Units of work to begin an evaluation. */
export const BEGINNING = 5;
/** Characters that are answered for a unit of work. */
const ANSWERED_PER_UNIT = 4;
/** How many units of text cost as much as an item. */
const TEXT_PER_UNIT = 64;

/** What is left of the work that an evaluation, or all of an answer, may do. */
export interface ComputeBudget {
  left: number;
}

/** Ends what went beyond a bound; of an evaluation it never leaves `evaluate`. */
export class LimitError extends Error {}

/** The work that one answer may do, all of it left. */
export function createAnswerBudget(): ComputeBudget {
  return { left: MAX_ANSWER_WORK };
}

/** The looks at rows that one query may take, all of them left. */
export function lookWork(): ComputeBudget {
  return { left: MAX_LOOKS };
}

/** Whether more was asked for than there was: what was made since may lack a part. */
export function isExhausted({ left }: ComputeBudget): boolean {
  return left < 0;
}

/** Takes the work of answering so many characters, whether it is left or not. */
export function chargeForAnswer(work: ComputeBudget, characters: number): void {
  work.left -= Math.ceil(characters / ANSWERED_PER_UNIT);
}

/** Takes units of work; throws a `LimitError` where none are left. */
export function spend(work: ComputeBudget, units: number): void {
  work.left -= units;
  if (work.left < 0) throw new LimitError("Too much work");
}

/** Takes the work of looking at all of a text or list once. */
export function spendOnValue(work: ComputeBudget, value: unknown): void {
  if (typeof value === "string") spend(work, Math.ceil(value.length / TEXT_PER_UNIT));
  else if (Array.isArray(value)) spend(work, value.length);
}

/** The text itself; throws a `LimitError` where it would be too long. */
export function boundedText(text: string): string {
  checkLength(text.length);
  return text;
}

/** Throws a `LimitError` for the length of a text that would be too long. */
export function checkLength(length: number): void {
  if (length > MAX_TEXT) throw new LimitError("Text too long");
}

/** The list itself; throws a `LimitError` where it is too long. */
export function boundedList<T>(list: readonly T[]): readonly T[] {
  if (list.length > MAX_LIST) throw new LimitError("List too long");
  return list;
}
