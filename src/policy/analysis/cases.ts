/**
 * Expected decisions as data, and what becomes of them under a policy.
 *
 * @module
 */
import * as v from "valibot";
import type { Mask } from "../bits.ts";
import { PolicyError } from "../issue.ts";
import { type Formula, isFulfilled, NEVER } from "./formula.ts";
import type { NormalPolicy } from "./normal.ts";
import { lackingFor } from "./reach.ts";
import { parseCall, resolveRoute } from "./resolve.ts";
import { type ShapeIssue, toShapeIssue } from "../schema.ts";

const scopes = v.array(v.string());
const token = {
  /** Why the case is there. */
  note: v.optional(v.string()),
  /** All that the token holds. */
  scopes: v.optional(scopes),
  /** All that the token does not hold, of the policy's scopes. */
  allBut: v.optional(scopes),
};
/** What a refused token lacks, in its smallest sets. */
const missing = v.optional(v.array(scopes));

const caseSchema = v.pipe(
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
    'A refusal says what is "missing", and nothing else does',
  ),
);

const fileSchema = v.strictObject({
  $schema: v.optional(v.string()),
  cases: v.array(caseSchema),
});

/** One expected decision about a call or a field, and its reason where it refuses. */
export type Case = v.InferOutput<typeof caseSchema>;

export interface CaseFile {
  readonly file: string;
  readonly cases: readonly Case[];
}

/** What a case comes to. */
export interface CaseResult {
  readonly file: string;
  readonly case: Case;
  readonly passed: boolean;
  /** What the policy decides. */
  readonly got: { readonly allowed: boolean; readonly missing: readonly (readonly string[])[] };
  readonly target: Target;
  readonly token: Mask;
  /** Scopes of the case that the policy does not know: a case that names one fails. */
  readonly unknown: readonly string[];
}

/** What a case is about; a call without a rule has no formula but `NEVER`. */
export interface Target {
  readonly kind: "call" | "field";
  /** The route as the policy names it, the call itself where no rule is about it, or the field. */
  readonly name: string;
  readonly known: boolean;
}

/** Reads a file of cases; throws `PolicyError`. */
export function parseCases(text: string, file: string): CaseFile {
  const { cases, issues } = readCasesShape(parseJson(text, file));
  if (cases !== undefined) return { file, cases };
  throw new PolicyError(issues.map(({ path, detail }) => ({
    place: `${file} ${path.join(".")}`.trim(),
    detail,
  })));
}

/** Reads a parsed file of cases, and says where its shape is not the schema's. */
export function readCasesShape(
  value: unknown,
): { readonly cases: readonly Case[] | undefined; readonly issues: readonly ShapeIssue[] } {
  const { success, output, issues } = v.safeParse(fileSchema, value);
  return { cases: success ? output.cases : undefined, issues: (issues ?? []).map(toShapeIssue) };
}

/** Decides each case under a policy. */
export function runCases(files: readonly CaseFile[], normal: NormalPolicy): CaseResult[] {
  return files.flatMap(({ file, cases }) =>
    cases.map((one) => ({ file, ...runCase(one, normal) }))
  );
}

/** The rule of a target: a call without one is refused, a field without one is shown. */
export function formulaOf({ kind, name }: Target, { routes, fields, bits }: NormalPolicy): Formula {
  if (kind === "call") return routes.get(name) ?? NEVER;
  return fields.get(name) ?? [bits.mask([])];
}

function runCase(one: Case, normal: NormalPolicy): Omit<CaseResult, "file"> {
  const target = targetOf(one, normal);
  const token = tokenOf(one, normal);
  const formula = formulaOf(target, normal);
  const allowed = isFulfilled(formula, token);
  const missing = lackingFor(formula, token).map((mask) => normal.bits.names(mask));
  const expected = one.effect === "allow" || one.effect === "show";
  const known = new Set(normal.bits.names(normal.all));
  const unknown = [...one.scopes ?? [], ...one.allBut ?? []].filter((scope) => !known.has(scope));
  const agrees = allowed === expected && keyOf(missing) === keyOf(one.missing ?? []);
  const passed = agrees && unknown.length === 0;
  return { case: one, passed, got: { allowed, missing }, target, token, unknown };
}

function targetOf(one: Case, { routes, fields }: NormalPolicy): Target {
  if ("field" in one) return { kind: "field", name: one.field, known: fields.has(one.field) };
  const call = parseCall(one.call);
  const route = call && resolveRoute(routes.keys(), call);
  return { kind: "call", name: route ?? one.call, known: route !== undefined };
}

function tokenOf({ scopes = [], allBut }: Case, { bits, all }: NormalPolicy): Mask {
  return bits.mask(allBut === undefined ? scopes : bits.lacking(all, bits.mask(allBut)));
}

/** Sets as one text, whatever their order. */
function keyOf(sets: readonly (readonly string[])[]): string {
  return JSON.stringify(sets.map((set) => [...set].sort().join(" ")).sort());
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new PolicyError([{ place: file, detail: "The cases are not JSON" }]);
  }
}
