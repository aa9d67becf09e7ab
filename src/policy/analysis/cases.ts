/**
 * Expected decisions as data, and how they fare under a policy.
 *
 * @module
 */
import * as v from "valibot";
import { PolicyError } from "../issue.ts";
import { ALWAYS, type Formula, isSatisfied, NEVER } from "./formula.ts";
import type { NormalPolicy } from "./normal.ts";
import { lackingFor } from "./capabilities.ts";
import { parseCall, resolveRoute } from "./resolve.ts";
import { createScopeSet, type ScopeSet } from "./scope_set.ts";
import { type ShapeIssue, toShapeIssue } from "../schema.ts";
import { findInvisibleTexts } from "../visible_json.ts";

const scopes = v.array(v.string());
const token = {
  /** Why the case is there. */
  note: v.optional(v.string()),
  /** The scopes of the token. */
  scopes: v.optional(scopes),
  /** The scopes that the token lacks; it has all others of the policy. */
  allBut: v.optional(scopes),
};
/** The smallest sets of scopes that a refused token lacks. */
const missing = v.optional(v.array(scopes));

/** The schema of one case. */
export const caseSchema = v.pipe(
  v.union([
    v.strictObject({
      call: v.string(),
      ...token,
      effect: v.picklist(["allow", "deny"]),
      missing,
    }),
    v.strictObject({
      field: v.string(),
      ...token,
      effect: v.picklist(["show", "hide"]),
      missing,
    }),
  ], 'Expected {"call", "effect": "allow" or "deny"} or {"field", "effect": "show" or "hide"}'),
  v.check(
    (one) => (one.scopes === undefined) !== (one.allBut === undefined),
    'Expected one of "scopes" and "allBut"',
  ),
  v.check(
    ({ effect, missing }) => (missing === undefined) === (effect === "allow" || effect === "show"),
    '"deny" and "hide" require "missing"; "allow" and "show" do not take it',
  ),
);

const fileSchema = v.strictObject({
  $schema: v.optional(v.string()),
  cases: v.array(caseSchema),
});

/** The expected decision on a call or a field and, if it is a refusal, the reason. */
export type Case = v.InferOutput<typeof caseSchema>;

export interface CaseFile {
  readonly file: string;
  readonly cases: readonly Case[];
}

export interface CaseResult {
  readonly file: string;
  readonly case: Case;
  readonly passed: boolean;
  /** The decision of the policy. */
  readonly got: { readonly allowed: boolean; readonly missing: readonly (readonly string[])[] };
  readonly target: Target;
  readonly token: ScopeSet;
  /** Scopes of the case that the policy does not define. A case that names one fails. */
  readonly unknown: readonly string[];
}

/** The call or field that a case is about. */
export interface Target {
  readonly kind: "call" | "field";
  /** The field, the route as the policy names it or, if no rule matches, the call itself. */
  readonly name: string;
  readonly hasRule: boolean;
}

/** Parses a file of cases; throws `PolicyError`. */
export function parseCases(text: string, file: string): CaseFile {
  const { cases, issues } = readCasesShape(parseJson(text, file));
  if (cases !== undefined) return { file, cases };
  throw new PolicyError(issues.map(({ path, detail }) => ({
    place: `${file} ${path.join(".")}`.trim(),
    detail,
  })));
}

/** Checks parsed JSON against the schema of a file of cases. */
export function readCasesShape(
  value: unknown,
): { readonly cases: readonly Case[] | undefined; readonly issues: readonly ShapeIssue[] } {
  const parsed = v.safeParse(fileSchema, value);
  const issues = [...(parsed.issues ?? []).map(toShapeIssue), ...findInvisibleTexts(value)];
  return { cases: parsed.success && issues.length === 0 ? parsed.output.cases : undefined, issues };
}

/** Runs each case against a policy. */
export function runCases(files: readonly CaseFile[], normal: NormalPolicy): CaseResult[] {
  return files.flatMap(({ file, cases }) =>
    cases.map((one) => ({ file, ...runCase(one, normal) }))
  );
}

/** Returns the rule of a target: a call without one is refused, a field without one is shown. */
function formulaOf({ kind, name }: Target, { routes, fields }: NormalPolicy): Formula {
  return kind === "call" ? routes.get(name) ?? NEVER : fields.get(name) ?? ALWAYS;
}

function runCase(one: Case, normal: NormalPolicy): Omit<CaseResult, "file"> {
  const target = targetOf(one, normal);
  const token = tokenOf(one, normal);
  const formula = formulaOf(target, normal);
  const allowed = isSatisfied(formula, token);
  const missing = lackingFor(formula, token).map((set) => [...set]);
  const expected = one.effect === "allow" || one.effect === "show";
  const named = [...one.scopes ?? [], ...one.allBut ?? []];
  const unknown = named.filter((scope) => !normal.all.has(scope));
  const agrees = allowed === expected && textOf(missing) === textOf(one.missing ?? []);
  const passed = agrees && unknown.length === 0;
  return { case: one, passed, got: { allowed, missing }, target, token, unknown };
}

function targetOf(one: Case, { routes, fields }: NormalPolicy): Target {
  if ("field" in one) return { kind: "field", name: one.field, hasRule: fields.has(one.field) };
  if (routes.has(one.call)) return { kind: "call", name: one.call, hasRule: true };
  const call = parseCall(one.call);
  const route = call && resolveRoute(routes.keys(), call);
  return { kind: "call", name: route ?? one.call, hasRule: route !== undefined };
}

function tokenOf({ scopes = [], allBut }: Case, { all }: NormalPolicy): ScopeSet {
  if (allBut !== undefined) return all.difference(new Set(allBut));
  return createScopeSet(scopes.filter((scope) => all.has(scope)));
}

/** Sets as one text, independent of their order. */
function textOf(sets: readonly (readonly string[])[]): string {
  return JSON.stringify(sets.map((set) => [...set].sort().join(" ")).sort());
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new PolicyError([{ place: file, detail: "The file is not JSON" }]);
  }
}
