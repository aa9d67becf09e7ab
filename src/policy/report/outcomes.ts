/**
 * Reports failed and missing cases.
 *
 * @module
 */
import type { Case, CaseResult } from "../analysis/cases.ts";
import { caseOf, type Coverage, type Point } from "../analysis/coverage.ts";
import { inWords } from "../lint/names.ts";
import type { NormalPolicy } from "../analysis/normal.ts";
import { noteText } from "./notes.ts";
import type { Note } from "../schema.ts";
import { count, type Paint } from "./text.ts";

/** Returns the place of a case: `policy/cases/pages.json:12:5`. */
export type PlaceOf = (outcome: CaseResult) => string;

export interface TestReport {
  readonly outcomes: readonly CaseResult[];
  readonly coverage: Coverage;
}

/** For a terminal. */
export function outcomesToText(
  { outcomes, coverage }: TestReport,
  { normal, notes, paint, placeOf }: {
    readonly normal: NormalPolicy;
    /** Notes on the routes and fields of failed cases say whom to ask. */
    readonly notes: ReadonlyMap<string, Note>;
    readonly paint: Paint;
    readonly placeOf: PlaceOf;
  },
): string {
  const failed = outcomes.filter(({ passed }) => !passed);
  const lines = [
    ...failed.flatMap((outcome) => [
      ...describeFailure(outcome, { paint, place: placeOf(outcome) }),
      ...noteOn(outcome, notes),
    ]),
    ...(failed.length === 0
      ? []
      : ["If a change is intended, delete its failed cases at these places"]),
    ...coverage.missing.map((point) =>
      `${paint("warning", "uncovered")}  ${describePoint(point, normal)}`
    ),
    ...(coverage.missing.length === 0 ? [] : ["To add cases, run: deno task policy test --fill"]),
    `${count(outcomes.length - failed.length, "case")} passed, ${failed.length} failed`,
    `${coverage.points - coverage.missing.length} of ${coverage.points} boundary points covered`,
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function noteOn({ target }: CaseResult, notes: ReadonlyMap<string, Note>): string[] {
  const text = noteText(notes.get(target.name));
  return text === undefined ? [] : [`             note     ${text}`];
}

/** Returns a case in words: `GET /v2/pages, all but pages.read`. */
export function titleOf(one: Case): string {
  const target = "call" in one ? one.call : one.field;
  if (one.allBut === undefined) return `${target}, ${inWords(one.scopes ?? [])}`;
  return one.allBut.length === 0
    ? `${target}, every scope`
    : `${target}, all but ${inWords(one.allBut)}`;
}

function describeFailure(
  outcome: CaseResult,
  { paint, place }: { readonly paint: Paint; readonly place: string },
): string[] {
  const title = `${paint("error", "failed")}     ${titleOf(outcome.case)}  (${place})`;
  return [title, ...failureLines(outcome).map((line) => `             ${line}`)];
}

/** Returns what a failed case expects and what the policy decides. */
export function failureLines({ case: one, got, unknown }: CaseResult): string[] {
  if (unknown.length > 0) return [`unknown scope: ${unknown.join(", ")}`];
  const expected = expectationOf(one.effect, one.missing ?? []);
  const word = "call" in one ? ["allow", "deny"] : ["show", "hide"];
  const effect = got.allowed ? word[0] : word[1];
  return [`expected ${expected}`, `got      ${expectationOf(effect ?? "", got.missing)}`];
}

function expectationOf(effect: string, missing: readonly (readonly string[])[]): string {
  return missing.length === 0 ? effect : `${effect}, missing ${missing.map(inWords).join(", or ")}`;
}

function describePoint(point: Point, normal: NormalPolicy): string {
  const one = caseOf(point, normal);
  return `${titleOf(one)}: ${one.effect}`;
}
