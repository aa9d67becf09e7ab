/**
 * Functions of the formula language on numbers.
 *
 * @module
 */
import { formatNumber, NUMBER_STYLES } from "../number_format.ts";
import { NUMBER, TEXT } from "../types.ts";
import { finite, type FormulaValue, isList } from "../values.ts";
import { define, type FormulaFunction } from "./define.ts";
import { any, number, numbers, oneOf, optional, rest, text } from "./parameters.ts";

/** Declares a function of one number. */
function single(
  name: string,
  apply: (value: number) => number,
  { description, examples }: Pick<FormulaFunction, "description" | "examples">,
): FormulaFunction {
  return define({
    name,
    parameters: [number("number")],
    returns: NUMBER,
    description,
    examples,
    call: ([value]) => finite(apply(value)),
  });
}

/** Declares a function of all numbers among its arguments. */
function summary(
  name: string,
  apply: (values: readonly number[]) => number,
  { description, examples }: Pick<FormulaFunction, "description" | "examples">,
): FormulaFunction {
  return define({
    name,
    parameters: [rest(numbers("numbers"))],
    returns: NUMBER,
    description,
    examples,
    call: ([lists]) => finite(apply(lists.flat())),
  });
}

function constant(name: string, value: number, description: string): FormulaFunction {
  return define({
    name,
    parameters: [],
    returns: NUMBER,
    description,
    examples: [[`${name}()`, String(value)], [name, String(value)]],
    call: () => value,
  });
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Not a number, and so empty, if there are no values. */
function median(values: readonly number[]): number {
  // Typed numbers are sorted without calls of a function, in a third of the time.
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length / 2;
  const [low = NaN, high = NaN] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return (low + high) / 2;
}

/** Rounds halves up, in decimal: 1.005 to two places is 1.01. */
function round(value: number, places: number): number {
  const bounded = Math.max(-15, Math.min(15, Math.trunc(places)));
  const moved = shifted(value, bounded);
  // A number this large has no decimal places.
  return Number.isFinite(moved) ? shifted(Math.round(moved), -bounded) : value;
}

/** The number with its decimal point moved, in decimal notation to avoid binary rounding. */
function shifted(value: number, places: number): number {
  const [digits, exponent = "0"] = String(value).split("e");
  return Number(`${digits}e${Number(exponent) + places}`);
}

function toNumber(value: FormulaValue): number | null {
  if (typeof value === "string") return finite(Number.parseFloat(value));
  if (typeof value === "number" || typeof value === "boolean") return Number(value);
  if (value === null || isList(value) || value.kind !== "date") return null;
  return value.start;
}

const SUMMARIES: readonly FormulaFunction[] = [
  summary("min", (values) => values.reduce((a, b) => Math.min(a, b), values[0] ?? NaN), {
    description: "The smallest of numbers and lists of numbers.",
    examples: [["min(4, 1, 3)", "1"], ["min([4, 1], 3)", "1"]],
  }),
  summary("max", (values) => values.reduce((a, b) => Math.max(a, b), values[0] ?? NaN), {
    description: "The largest of numbers and lists of numbers.",
    examples: [["max(4, 1, 3)", "4"], ["max([4, 1], 3)", "4"]],
  }),
  summary("sum", total, {
    description: "The sum of numbers and lists of numbers; 0 if there are none.",
    examples: [["sum(1, 2, 3)", "6"], ["sum([1, 2], 3)", "6"]],
  }),
  summary("mean", (values) => total(values) / values.length, {
    description: "The average of numbers and lists of numbers.",
    examples: [["mean(1, 2, 6)", "3"], ["mean([1, 2], 6)", "3"]],
  }),
  summary("median", median, {
    description:
      "The median of numbers and lists of numbers; for an even count, the mean of the middle two.",
    examples: [["median(1, 2, 4)", "2"], ["median([1, 2, 4, 5])", "3"]],
  }),
];

const SINGLES: readonly FormulaFunction[] = [
  single("abs", Math.abs, {
    description: "The number without its sign.",
    examples: [["abs(-10)", "10"]],
  }),
  define({
    name: "round",
    parameters: [number("number"), optional(number("places"))],
    returns: NUMBER,
    description: "The nearest whole number, or number of that many decimal places; halves go up.",
    examples: [["round(0.4)", "0"], ["round(-0.6)", "-1"], ["round(1.005, 2)", "1.01"]],
    call: ([value, places]) => finite(round(value, places ?? 0)),
  }),
  single("ceil", Math.ceil, {
    description: "The number rounded up to a whole number.",
    examples: [["ceil(0.4)", "1"], ["ceil(-0.6)", "0"]],
  }),
  single("floor", Math.floor, {
    description: "The number rounded down to a whole number.",
    examples: [["floor(0.4)", "0"], ["floor(-0.6)", "-1"]],
  }),
  single("sqrt", Math.sqrt, {
    description: "The square root; empty for negative numbers.",
    examples: [["sqrt(4)", "2"]],
  }),
  single("cbrt", Math.cbrt, {
    description: "The cube root.",
    examples: [["cbrt(64)", "4"]],
  }),
  single("exp", Math.exp, {
    description: "`e` to the power of the number.",
    examples: [["exp(0)", "1"]],
  }),
  single("ln", Math.log, {
    description: "The natural logarithm; empty for 0 and negative numbers.",
    examples: [["ln(e)", "1"]],
  }),
  single("log10", Math.log10, {
    description: "The logarithm to base 10; empty for 0 and negative numbers.",
    examples: [["log10(100000)", "5"]],
  }),
  single("log2", Math.log2, {
    description: "The logarithm to base 2; empty for 0 and negative numbers.",
    examples: [["log2(1024)", "10"]],
  }),
  single("sign", Math.sign, {
    description: "1 for positive numbers, -1 for negative numbers, 0 for 0.",
    examples: [["sign(-10)", "-1"], ["sign(10)", "1"]],
  }),
];

const CONVERSIONS: readonly FormulaFunction[] = [
  constant("pi", Math.PI, "The ratio of a circle's circumference to its diameter."),
  constant("e", Math.E, "The base of the natural logarithm."),
  define({
    name: "toNumber",
    parameters: [any("value")],
    returns: NUMBER,
    description:
      "The number at the start of a text, 1 or 0 for a boolean, the milliseconds since 1970 for a date.",
    examples: [['toNumber("2.5 kg")', "2.5"], ["toNumber(true)", "1"], [
      'toNumber("kg")',
      "empty",
    ]],
    call: ([value]) => toNumber(value),
  }),
  define({
    name: "formatNumber",
    parameters: [
      number("number"),
      optional(oneOf(text("format"), NUMBER_STYLES)),
      optional(number("places")),
    ],
    returns: TEXT,
    description:
      'The number as text. Formats: `"commas"`, `"percent"`, `"humanize"`, `"bytes_decimal"`, `"bytes_binary"`, or a currency by its name in number properties.',
    examples: [
      ["formatNumber(12345.6)", '"12,345.6"'],
      ['formatNumber(0.856, "percent")', '"85.6%"'],
      ['formatNumber(1234567, "humanize")', '"1.2M"'],
      ['formatNumber(12345678, "bytes_decimal")', '"12.35 MB"'],
      ['formatNumber(5, "dollar", 1)', '"$5.0"'],
    ],
    call: ([value, format, places]) => formatNumber(value, { format, places }),
  }),
];

export const NUMBERS: readonly FormulaFunction[] = [
  ...SUMMARIES,
  ...SINGLES,
  ...CONVERSIONS,
];
