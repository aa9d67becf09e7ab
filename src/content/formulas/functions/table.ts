/**
 * All functions of the formula language.
 *
 * @module
 */
import { DATES } from "./dates.ts";
import { CATEGORIES, type FormulaFunction } from "./define.ts";
import { LISTS } from "./lists.ts";
import { LOGIC } from "./logic.ts";
import { NUMBERS } from "./numbers.ts";
import { ARITHMETIC, LOGICAL } from "./operators.ts";
import { PAGES } from "./pages.ts";
import { TEXTS } from "./texts.ts";

/** The functions by their heading in the documentation. */
export const FUNCTIONS_BY_CATEGORY: Readonly<
  Record<(typeof CATEGORIES)[number], readonly FormulaFunction[]>
> = {
  "Logic": [...LOGIC, ...LOGICAL],
  "Text": TEXTS,
  "Numbers": [...ARITHMETIC, ...NUMBERS],
  "Dates": DATES,
  "Lists": LISTS,
  "People and pages": PAGES,
};

/** All functions by name. */
export const FUNCTIONS: ReadonlyMap<string, FormulaFunction> = new Map(
  Object.values(FUNCTIONS_BY_CATEGORY).flat().map((one) => [one.name, one]),
);
