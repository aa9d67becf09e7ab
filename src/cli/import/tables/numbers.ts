/**
 * Numbers as tables write them: with separators, percent signs and currencies.
 *
 * @module
 */

/** How numbers are written: which character divides the decimals. */
export type NumberStyle = "point" | "comma";

export interface NumberReading {
  readonly style: NumberStyle;
  /** Format of the property. */
  readonly format: string;
}

const CURRENCIES: readonly (readonly [RegExp, string])[] = [
  [/^R\$|R\$$/, "real"],
  [/^(?:CA|C)\$/, "canadian_dollar"],
  [/^A\$/, "australian_dollar"],
  [/^(?:US)?\$|\$$|USD/, "dollar"],
  [/€|EUR/, "euro"],
  [/£|GBP/, "pound"],
  [/¥|￥|JPY/, "yen"],
  [/₹|INR/, "rupee"],
  [/₽|RUB/, "ruble"],
  [/₩|KRW/, "won"],
  [/CHF/, "franc"],
  [/zł|PLN/, "zloty"],
  [/Kč|CZK/, "koruna"],
];

/** Beyond this, a double is not exact: such texts are numbers of accounts or the like. */
const MAX_DIGITS = 15;

const PATTERNS: Readonly<Record<NumberStyle, RegExp>> = {
  point: /^(?:0|[1-9]\d*|[1-9]\d{0,2}(?:[,   ']\d{3})+)(?:\.\d+)?$/,
  comma: /^(?:0|[1-9]\d*|[1-9]\d{0,2}(?:[.   ']\d{3})+)(?:,\d+)?$/,
};

export interface NumberParts {
  readonly sign: number;
  readonly digits: string;
  /** `percent`, a currency, or `""`. */
  readonly unit: string;
}

/** Divides a text into sign, digits and unit; undefined if it is no number in any style. */
export function numberParts(text: string): NumberParts | undefined {
  const [, before = "", sign = "", between = "", digits = "", after = ""] =
    /^([^\d\s+\-−.,]*)([+\-−]?)([^\d\s+\-−.,]*)\s*(\d[\d., \u00a0\u202f']*?)\s*([^\d\s+\-−.,]*)$/
      .exec(text) ?? [];
  const mark = before || between || after;
  if (digits === "" || [before, between, after].filter((one) => one !== "").length > 1) {
    return undefined;
  }
  const unit = unitOf(mark);
  if (unit === undefined) return undefined;
  return { sign: sign === "-" || sign === "−" ? -1 : 1, digits, unit };
}

function unitOf(mark: string): string | undefined {
  if (mark === "") return "";
  if (mark === "%") return "percent";
  return CURRENCIES.find(([pattern]) => pattern.test(mark))?.[1];
}

/** Returns whether digits are a number of this style. */
export function fitsStyle(digits: string, style: NumberStyle): boolean {
  return PATTERNS[style].test(digits) && digits.replace(/\D/g, "").length <= MAX_DIGITS;
}

/** The number in a text; undefined if it is none in this style. */
export function readNumber(text: string, { style, format }: NumberReading): number | undefined {
  const parts = numberParts(text.trim());
  if (parts === undefined || !fitsStyle(parts.digits, style)) return undefined;
  const decimals = style === "point" ? "." : ",";
  const plain = [...parts.digits].map((one) => one === decimals ? "." : /\d/.test(one) ? one : "");
  const value = parts.sign * Number(plain.join(""));
  // Division by a power of ten would leave 0.07 as 0.07000000000000001 if it were multiplied.
  return format === "percent" && parts.unit === "percent" ? value / 100 : value;
}
