/**
 * `not-json`: the file is not JSON, so the server cannot parse it.
 *
 * @module
 */
import type { TextRule } from "./rule.ts";

export const notJson: TextRule = {
  code: "not-json",
  summary: "The file is not JSON",
  level: "error",
  on: "text",
  find: ({ issue }) =>
    issue === undefined
      ? []
      : [{ span: issue.span, message: `The file is not JSON: ${issue.detail}` }],
};
