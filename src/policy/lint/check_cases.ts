/**
 * What `deno task policy check` looks for in a file of cases: that they can be run at all.
 *
 * @module
 */
import { readCasesShape } from "../analysis/cases.ts";
import { compareFindings, type Finding, type FindingDraft, toFinding } from "./finding.ts";
import { duplicateKey } from "./rules/duplicate_key.ts";
import { notJson } from "./rules/not_json.ts";
import { remarksOn, wrongShape } from "./rules/wrong_shape.ts";
import type { Source } from "./source.ts";

/** The findings of a file of cases, as one reads it. */
export function checkCases(source: Source): Finding[] {
  const shape = source.issue === undefined ? readCasesShape(source.value).issues : [];
  const found: readonly [typeof wrongShape, FindingDraft[]][] = [
    [notJson, notJson.find(source)],
    [wrongShape, remarksOn(shape, source)],
    [duplicateKey, duplicateKey.find(source)],
  ];
  return found.flatMap(([rule, remarks]) =>
    remarks.map((remark) => toFinding(remark, { ...rule, source }))
  ).sort(compareFindings);
}
