/**
 * `duplicate-key`: an object repeats a name. JSON parsers only use the last value.
 *
 * @module
 */
import type { TextRule } from "./rule.ts";

export const duplicateKey: TextRule = {
  code: "duplicate-key",
  summary: "An object repeats a name, and JSON parsers only use the last value",
  level: "error",
  on: "text",
  find: ({ duplicates }) =>
    duplicates.map(({ path, span, first }) => ({
      span,
      message: `The name ${JSON.stringify(path.at(-1))} is a duplicate`,
      hint: `It first appears on line ${first.line}`,
    })),
};
