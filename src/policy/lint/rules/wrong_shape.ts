/**
 * `wrong-shape`: an unknown member, or a value that does not match the schema.
 *
 * @module
 */
import type { FindingDraft } from "../finding.ts";
import { readShape, type ShapeIssue } from "../../schema.ts";
import type { Source } from "../source.ts";
import type { TextRule } from "./rule.ts";

export const wrongShape: TextRule = {
  code: "wrong-shape",
  summary: "A member is unknown, or a value does not match the schema",
  level: "error",
  on: "text",
  find(source) {
    return source.issue === undefined ? toDrafts(readShape(source.value).shapeIssues, source) : [];
  },
};

/** Adds to each issue its place in the source. */
export function toDrafts(issues: readonly ShapeIssue[], source: Source): FindingDraft[] {
  return issues.map(({ path, inName, detail }) => ({
    span: inName ? source.nameAt(path) : source.valueAt(path),
    message: detail,
  }));
}
