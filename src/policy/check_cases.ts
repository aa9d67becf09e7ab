/**
 * What `deno task policy check` looks for in a file of cases: that they can be run at all.
 *
 * @module
 */
import { readCasesShape } from "./cases.ts";
import { compareFindings, type Finding, type Remark, toFinding } from "./finding.ts";
import { duplicateKey } from "./lint/duplicate_key.ts";
import { notJson } from "./lint/not_json.ts";
import { remarksOn, wrongShape } from "./lint/wrong_shape.ts";
import type { Source } from "./source.ts";

/** The findings of a file of cases, as one reads it. */
export function checkCases(source: Source): Finding[] {
  const shape = source.fault === undefined ? readCasesShape(source.value).issues : [];
  const found: readonly [typeof wrongShape, Remark[]][] = [
    [notJson, notJson.find(source)],
    [wrongShape, remarksOn(shape, source)],
    [duplicateKey, duplicateKey.find(source)],
  ];
  return found.flatMap(([rule, remarks]) =>
    remarks.map((remark) => toFinding(remark, { ...rule, source }))
  ).sort(compareFindings);
}
