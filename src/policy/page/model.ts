/**
 * All that the page shows, worked out before anything is drawn.
 *
 * @module
 */
import type { CaseFile, CaseResult } from "../analysis/cases.ts";
import { runCases } from "../analysis/cases.ts";
import { check } from "../lint/check.ts";
import { type Coverage, coverageOf } from "../analysis/coverage.ts";
import { type Change, diffPolicies, type Effect, effectOf } from "../analysis/diff.ts";
import { digestOf } from "../digest.ts";
import type { PublishedApi } from "../document.ts";
import type { Finding } from "../lint/finding.ts";
import { isRead, type Proof, proveAll } from "../analysis/invariants.ts";
import { normalize, type NormalPolicy } from "../analysis/normal.ts";
import { parsePolicyFile, type Policy, type PolicyFile } from "../schema.ts";
import { readSource } from "../lint/source.ts";

export interface PageOptions {
  /** Text of the policy file; throws `PolicyError` where it is none. */
  readonly text: string;
  /** Its name, for the findings. */
  readonly file: string;
  readonly api?: PublishedApi | undefined;
  readonly cases: readonly CaseFile[];
  /** An earlier policy to compare with, and what to call it. */
  readonly base?: { readonly name: string; readonly policy: Policy } | undefined;
  /** Address of the API reference, where the page is served beside one. */
  readonly reference?: string;
}

/** One call or field. */
export interface Row {
  readonly kind: "call" | "field";
  readonly name: string;
  /** The smallest sets of scopes, as places in {@linkcode PageModel.scopes}. */
  readonly sets: readonly (readonly number[])[];
  /** Whether a call only reads. */
  readonly reads: boolean;
  readonly change: Change | undefined;
}

export interface PageModel {
  readonly digest: string;
  readonly scopes: readonly { readonly name: string; readonly description: string }[];
  readonly rows: readonly Row[];
  readonly proofs: readonly Proof[];
  readonly outcomes: readonly CaseResult[];
  readonly coverage: Coverage;
  readonly normal: NormalPolicy;
  readonly findings: readonly Finding[];
  readonly diff:
    | { readonly name: string; readonly effect: Effect }
    | undefined;
}

/** Works everything out; throws `PolicyError`. */
export function createModel({ text, file, api, cases, base }: PageOptions): PageModel {
  const policyFile = parsePolicyFile(text);
  const { policy } = policyFile;
  const normal = normalize(policy);
  const outcomes = runCases(cases, normal);
  const changes = base === undefined ? [] : diffPolicies(base.policy, policy);
  return {
    digest: digestOf(policy),
    scopes: [...policy.scopes].map(([name, description]) => ({ name, description })),
    rows: rowsOf(policyFile, { normal, changes }),
    proofs: proveAll(policyFile),
    outcomes,
    coverage: coverageOf(outcomes, normal),
    normal,
    findings: check({ source: readSource(file, text), api, base: base?.policy }),
    diff: base && { name: base.name, effect: effectOf(changes) },
  };
}

interface RowOptions {
  readonly normal: NormalPolicy;
  readonly changes: readonly Change[];
}

function rowsOf({ policy, safe }: PolicyFile, { normal, changes }: RowOptions): Row[] {
  const places = new Map([...policy.scopes.keys()].map((scope, index) => [scope, index]));
  const rowsIn = (kind: Row["kind"], table: "routes" | "fields"): Row[] => {
    const own = new Map(
      changes.filter((one) => one.kind === kind).map((one) => [one.name, one]),
    );
    const gone = [...own.keys()].filter((name) => !normal[table].has(name));
    return [...normal[table].keys(), ...gone].map((name) => ({
      kind,
      name,
      sets: setsOf(normal[table].get(name) ?? [], { normal, places }),
      reads: kind === "field" || isRead(name, safe),
      change: own.get(name),
    }));
  };
  return [...rowsIn("call", "routes"), ...rowsIn("field", "fields")];
}

function setsOf(
  formula: readonly (readonly number[])[],
  { normal, places }: {
    readonly normal: NormalPolicy;
    readonly places: ReadonlyMap<string, number>;
  },
): number[][] {
  return formula.map((mask) =>
    normal.bits.names(mask).flatMap((scope) => places.get(scope) ?? []).sort((a, b) => a - b)
  );
}
