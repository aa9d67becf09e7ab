/**
 * Inline formulas: which text between dollar signs is one, and how formulas are printed.
 *
 * @module
 */
import { mathToMarkdown } from "mdast-util-math";
import type { Handle } from "mdast-util-to-markdown";

/**
 * Returns whether text including its dollar signs is a formula, given the character that follows.
 * As in Pandoc, single dollar signs have no space inside and no digit after them, so that prices
 * stay text. Between more dollar signs both are allowed.
 */
export function isFormula(source: string, next: string): boolean {
  return source.startsWith("$$") || !/^\$\s|\s\$$/.test(source) && !/^\d/.test(next);
}

/** The expression of an inline formula in one line, as both variants print it. */
export function inOneLine(expression: string): string {
  return expression.replace(/\r\n|[\r\n\uFEFF]/g, " ");
}

/** Returns the expression in a formula, which may also be written as code: ``$`x`$``. */
export function withoutBackticks(source: string): string {
  return isInBackticks(source) ? source.slice(1, -1) : source;
}

/** Returns the expression as it stands in a formula, so that it keeps backticks of its own. */
export function withBackticks(expression: string): string {
  return isInBackticks(expression) ? `\`${expression}\`` : expression;
}

function isInBackticks(source: string): boolean {
  return source.length > 2 && source.startsWith("`") && source.endsWith("`");
}

const printAny = printer({ singleDollarTextMath: true });
const printDouble = printer({ singleDollarTextMath: false });

/** Prints a formula between as few dollar signs as reading it back allows. */
export const printFormula: Handle & { readonly peek: Handle } = Object.assign(
  ((node, parent, state, info) => {
    const printed = printAny(node, parent, state, info);
    return isFormula(printed, info.after) ? printed : printDouble(node, parent, state, info);
  }) satisfies Handle,
  // The first character, which decides how the text before it is escaped.
  { peek: () => "$" },
);

function printer(options: { readonly singleDollarTextMath: boolean }): Handle {
  const print = mathToMarkdown(options).handlers?.inlineMath;
  if (print === undefined) throw new Error("mdast-util-math has no handler for formulas");
  return print;
}
