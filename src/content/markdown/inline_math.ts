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
