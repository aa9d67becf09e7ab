/**
 * `wrong-shape`: a member that the schema does not know, or a value of another kind.
 *
 * @module
 */
import type { FindingDraft } from "../finding.ts";
import { readShape, type ShapeIssue } from "../../schema.ts";
import type { Source } from "../source.ts";
import type { TextRule } from "./rule.ts";

export const wrongShape: TextRule = {
  code: "wrong-shape",
  level: "error",
  on: "text",
  find(source) {
    return source.issue === undefined ? remarksOn(readShape(source.value).shapeIssues, source) : [];
  },
};

/** Each issue at its place. */
export function remarksOn(issues: readonly ShapeIssue[], source: Source): FindingDraft[] {
  return issues.map(({ path, inName, detail }) => ({
    span: inName ? source.nameAt(path) : source.valueAt(path),
    message: detail,
  }));
}
