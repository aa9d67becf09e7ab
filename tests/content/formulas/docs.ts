/**
 * Prints the list of functions in `docs/formulas.md`.
 *
 * @module
 */
import {
  type FormulaFunction,
  returnsLabel,
} from "../../../src/content/formulas/functions/define.ts";
import { FUNCTIONS_BY_CATEGORY } from "../../../src/content/formulas/functions/table.ts";

/** All functions, grouped by heading. */
export function functionsMarkdown(): string {
  return Object.entries(FUNCTIONS_BY_CATEGORY)
    .map(([category, functions]) => `### ${category}\n\n${functions.map(itemOf).join("\n")}`)
    .join("\n\n");
}

function itemOf(one: FormulaFunction): string {
  const examples = one.examples.map(([text, result]) => `${code(text)} → ${code(result)}`);
  return `- **${code(signatureOf(one))}**, ${returnsLabel(one.returns)}. ${one.description}\\\n  ${
    examples.join(" · ")
  }`;
}

function signatureOf({ name, parameters }: FormulaFunction): string {
  const shown = parameters.map((parameter) => {
    if (parameter.presence === "rest") return `${parameter.name}…`;
    return parameter.presence === "optional" ? `${parameter.name}?` : parameter.name;
  });
  return `${name}(${shown.join(", ")})`;
}

function code(text: string): string {
  return `\`${text}\``;
}
