/**
 * The results of `policy test` as findings, for the formats that show them next to the lines of a
 * file, and as test cases.
 *
 * @module
 */
import type { CaseResult } from "../analysis/cases.ts";
import { caseOf, type Point } from "../analysis/coverage.ts";
import type { NormalPolicy } from "../analysis/normal.ts";
import { compareFindings, type Finding, type FindingKind, toFinding } from "../lint/finding.ts";
import type { Source } from "../lint/source.ts";
import type { JunitCase } from "./junit.ts";
import { failureLines, type TestReport, titleOf } from "./outcomes.ts";

const FAILED = {
  code: "failed-case",
  summary: "The policy does not decide as a case expects",
  section: "Cases",
} as const;
const UNCOVERED = {
  code: "uncovered-point",
  summary: "No case covers a point on the boundary of a rule",
  section: "Cases",
} as const;

/** Every kind of finding of `test`. */
export const TEST_KINDS: readonly FindingKind[] = [FAILED, UNCOVERED];

export interface TestFindingsOptions {
  readonly normal: NormalPolicy;
  /** The policy file. */
  readonly policy: Source;
  /** The file and the place of a case. */
  readonly locate: (outcome: CaseResult) => {
    readonly source: Source;
    readonly span: Finding["span"];
  };
}

/** Returns failed cases at their own lines, and uncovered points at the lines of their rules. */
export function outcomesToFindings(
  { outcomes, coverage }: TestReport,
  { normal, policy, locate }: TestFindingsOptions,
): Finding[] {
  const failed = outcomes.filter(({ passed }) => !passed).map((outcome) => {
    const { source, span } = locate(outcome);
    const message = `${titleOf(outcome.case)}: ${
      failureLines(outcome).join(", ").replaceAll(/ +/g, " ")
    }`;
    const hint = "If the change is intended, delete the case";
    return toFinding({ span, message, hint }, { ...FAILED, level: "error", source });
  });
  const uncovered = coverage.missing.map((point) => {
    const { kind, name } = point.target;
    const span = policy.nameAt([kind === "call" ? "routes" : "fields", name]);
    const message = `No case covers ${describePoint(point, normal)}`;
    const hint = "To add cases, run: deno task policy test --fill";
    return toFinding({ span, message, hint }, { ...UNCOVERED, level: "error", source: policy });
  });
  return [...failed, ...uncovered].sort(compareFindings);
}

/** Returns a test case for each case, and a failed one for each point without a case. */
export function outcomesToJunitCases(
  { outcomes, coverage }: TestReport,
  normal: NormalPolicy,
): JunitCase[] {
  return [
    ...outcomes.map((outcome) => ({
      group: outcome.file,
      name: titleOf(outcome.case),
      failure: outcome.passed
        ? undefined
        : { message: "The policy decides otherwise", text: failureLines(outcome).join("\n") },
    })),
    ...coverage.missing.map((point) => ({
      group: "coverage",
      name: describePoint(point, normal),
      failure: { message: "No case covers this", text: describePoint(point, normal) },
    })),
  ];
}

function describePoint(point: Point, normal: NormalPolicy): string {
  const one = caseOf(point, normal);
  return `${titleOf(one)}: ${one.effect}`;
}
