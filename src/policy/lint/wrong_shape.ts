/**
 * `wrong-shape`: a member that the schema does not know, or a value of another kind.
 *
 * @module
 */
import type { Remark } from "../finding.ts";
import { readShape, type ShapeIssue } from "../schema.ts";
import type { Source } from "../source.ts";
import type { TextRule } from "./rule.ts";

export const wrongShape: TextRule = {
  code: "wrong-shape",
  level: "error",
  on: "text",
  find(source) {
    return source.fault === undefined ? remarksOn(readShape(source.value).issues, source) : [];
  },
};

/** Each issue at its place. */
export function remarksOn(issues: readonly ShapeIssue[], source: Source): Remark[] {
  return issues.map(({ path, inName, detail }) => ({
    span: inName ? source.nameAt(path) : source.valueAt(path),
    message: detail,
  }));
}
