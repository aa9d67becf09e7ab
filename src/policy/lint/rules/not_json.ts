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
  find: ({ issue }) =>
    issue === undefined
      ? []
      : [{ span: issue.span, message: `The file is not JSON: ${issue.detail}` }],
};
