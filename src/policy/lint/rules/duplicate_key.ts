/**
 * `duplicate-key`: a name stands twice in one object, and readers see only the last.
 *
 * @module
 */
import type { TextRule } from "./rule.ts";

export const duplicateKey: TextRule = {
  code: "duplicate-key",
  level: "error",
  on: "text",
  find: ({ repeated }) =>
    repeated.map(({ path, span, first }) => ({
      span,
      message: `The name ${JSON.stringify(path.at(-1))} stands twice here`,
      hint: `It stands first on line ${first.line}`,
    })),
};
