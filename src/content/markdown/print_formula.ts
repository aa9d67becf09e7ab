/**
 * Formulas in a line as Markdown.
 *
 * @module
 */
import { mathToMarkdown } from "mdast-util-math";
import type { Handle } from "mdast-util-to-markdown";
import { isFormula } from "./dollars.ts";

const printAny = printer({ singleDollarTextMath: true });
const printDouble = printer({ singleDollarTextMath: false });

/** Prints a formula between as few dollar signs as it is read with. */
export const printFormula: Handle & { readonly peek: Handle } = Object.assign(
  ((node, parent, state, info) => {
    const printed = printAny(node, parent, state, info);
    return isFormula(printed, info.after) ? printed : printDouble(node, parent, state, info);
  }) satisfies Handle,
  // What a text before it has to know.
  { peek: () => "$" },
);

function printer(options: { readonly singleDollarTextMath: boolean }): Handle {
  const print = mathToMarkdown(options).handlers?.inlineMath;
  if (print === undefined) throw new Error("mdast-util-math prints no formulas");
  return print;
}
