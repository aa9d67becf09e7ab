/**
 * `not-json`: the server could not read the file at all.
 *
 * @module
 */
import type { TextRule } from "./rule.ts";

export const notJson: TextRule = {
  code: "not-json",
  level: "error",
  on: "text",
  find: ({ fault }) =>
    fault === undefined
      ? []
      : [{ span: fault.span, message: `The file is not JSON: ${fault.detail}` }],
};
