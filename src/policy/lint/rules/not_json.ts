/**
 * `not-json`: the file is not JSON, so the server cannot parse it.
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
