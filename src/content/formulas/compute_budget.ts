/**
 * The limits of formulas, and the budget of work that evaluations draw on.
 *
 * @module
 */
import { LIMITS } from "../values/limits.ts";

/** Maximum length of an expression, in UTF-16 code units. */
export const MAX_EXPRESSION = LIMITS.expression;
/** Maximum nesting of an expression: parentheses, calls, lists. */
export const MAX_NESTING = 200;
/** Maximum height of the syntax tree; every operator of a chain adds one. */
export const MAX_HEIGHT = 500;
/** Maximum number of issues that one compilation reports. */
export const MAX_FORMULA_ISSUES = 20;
/** Maximum length of any text that a formula produces, in UTF-16 code units. */
export const MAX_TEXT = 100_000;
/** Maximum length of any list that a formula produces. */
export const MAX_LIST = 10_000;
/** Units of work that one evaluation may do; reading one item costs about one unit. */
export const MAX_WORK = 100_000;
/** Units of work that all evaluations of one reply may do together: a few seconds. */
export const MAX_REPLY_WORK = 5_000_000;
/** UTF-16 code units of JSON of the related rows' values that one reply is computed from. */
export const MAX_RELATED = 32_000_000;
/** Maximum number of rows that one query scans, times its conditions and sorts. */
export const MAX_ROW_SCANS = 25_000_000;
/** Maximum length of a regular expression or date format. */
export const MAX_PATTERN = 500;
/** Steps of regular expressions that repetitions may add: `a{300}` has 300 steps. */
export const MAX_REPEATED = 300;
/** Steps of all regular expressions of a formula: they are compiled in one turn of the event loop. */
export const MAX_PATTERNS = 10_000;
/** Units of work that starting an evaluation costs. */
export const START_COST = 5;
/** Characters of a result per unit of budget. */
const RESULT_PER_UNIT = 4;
/** UTF-16 code units of text that cost as much as one list item. */
const TEXT_PER_UNIT = 64;
/** Items of a new list that cost as much as one that is looked at. */
const NEW_ITEMS_PER_UNIT = 4;
/** Comparisons of two values that cost as much as one list item. */
const COMPARISONS_PER_UNIT = 8;
/** Units of work that a node of the syntax tree costs for each item of a list. */
export const NODE_COST = 1 / 16;
/** Units of work that reading a property costs for each item of a list. */
export const PROPERTY_COST = 1;

/** The units of work that an evaluation, or all evaluations of one reply, may still do. */
export interface ComputeBudget {
  left: number;
}

/** Ends an evaluation that exceeds a limit. `CompiledFormula.evaluate` catches it. */
export class LimitError extends Error {}

/** A full budget for one reply. */
export function createReplyBudget(): ComputeBudget {
  return { left: MAX_REPLY_WORK };
}

/** A full budget for the rows that one query may scan. */
export function createScanBudget(): ComputeBudget {
  return { left: MAX_ROW_SCANS };
}

/**
 * Returns whether more work was needed than the budget had. Results computed since may be
 * incomplete.
 */
export function isExhausted({ left }: ComputeBudget): boolean {
  return left < 0;
}

/** Ends all further work: what is computed from incomplete values would be wrong. */
export function exhaust(budget: ComputeBudget): void {
  budget.left = -1;
}

/** Charges for a result of this many characters, even beyond the budget. */
export function chargeForResult(budget: ComputeBudget, characters: number): void {
  budget.left -= Math.ceil(characters / RESULT_PER_UNIT);
}

/** Charges units of work; throws a `LimitError` if the budget is exhausted. */
export function spend(budget: ComputeBudget, units: number): void {
  budget.left -= units;
  if (budget.left < 0) throw new LimitError("Compute budget exhausted");
}

/** Charges for reading a whole text or list once. */
export function spendOnValue(budget: ComputeBudget, value: unknown): void {
  if (typeof value === "string") spend(budget, Math.ceil(value.length / TEXT_PER_UNIT));
  else if (Array.isArray(value)) spend(budget, value.length);
}

/** Charges for making a text or list. */
export function spendOnNew(budget: ComputeBudget, value: unknown): void {
  if (typeof value === "string") spend(budget, value.length / TEXT_PER_UNIT);
  else if (Array.isArray(value)) spend(budget, value.length / NEW_ITEMS_PER_UNIT);
}

/** Charges for comparing two values, which takes as long as the shorter of two texts. */
export function spendOnComparison(budget: ComputeBudget, a: unknown, b: unknown): void {
  const isText = typeof a === "string" && typeof b === "string";
  const text = isText ? Math.min(a.length, b.length) / TEXT_PER_UNIT : 0;
  spend(budget, text + 1 / COMPARISONS_PER_UNIT);
}

/** Returns the text; throws a `LimitError` if it is too long. */
export function boundedText(text: string): string {
  checkLength(text.length);
  return text;
}

/** Throws a `LimitError` if a text of this length would be too long. */
export function checkLength(length: number): void {
  if (length > MAX_TEXT) throw new LimitError("Text too long");
}

/** Returns the list; throws a `LimitError` if it is too long. */
export function boundedList<T>(list: readonly T[]): readonly T[] {
  if (list.length > MAX_LIST) throw new LimitError("List too long");
  return list;
}
