/**
 * Everything that the page shows, computed before anything is rendered.
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
import type { Formula } from "../analysis/formula.ts";
import { isRead, type Proof, proveAll } from "../analysis/invariants.ts";
import { normalize, type NormalPolicy } from "../analysis/normal.ts";
import { type Note, parsePolicyFile, type Policy, type PolicyFile } from "../schema.ts";
import { readSource } from "../lint/source.ts";
import type { TokenTraffic } from "../analysis/traffic.ts";
import type { ChangeReport } from "../report/changes.ts";
import { type RowTraffic, rowTraffic } from "./row_traffic.ts";

export interface PageOptions {
  /** Text of the policy file. */
  readonly text: string;
  /** Name of the policy file, for the findings. */
  readonly file: string;
  readonly api?: PublishedApi | undefined;
  readonly cases: readonly CaseFile[];
  /** An earlier policy to compare with, its name, and the report of the change since. */
  readonly base?: PageBase | undefined;
  /** The traffic of a decision log. */
  readonly tokens?: readonly TokenTraffic[] | undefined;
  /** Returns the routes whose responses can contain a field; undefined: nobody knows. */
  readonly routesShowing?: (field: string) => ReadonlySet<string> | undefined;
  /** The scopes that are ticked at first. */
  readonly held?: ReadonlySet<string> | undefined;
  /** Sentences to show above everything else. */
  readonly notices?: readonly string[];
  /** URL of the API reference, if the page is served together with one. */
  readonly reference?: string;
}

export interface PageBase {
  readonly name: string;
  readonly policy: Policy;
  readonly report?: ChangeReport;
}

/** A row of the matrix: one call or field. */
export interface MatrixRow {
  readonly kind: "call" | "field";
  readonly name: string;
  /** The smallest sets of scopes, as indexes into {@linkcode PageModel.scopes}. */
  readonly sets: readonly (readonly number[])[];
  /** True if a call only reads. */
  readonly reads: boolean;
  readonly change: Change | undefined;
  readonly note: Note | undefined;
  /** Undefined without a log. */
  readonly traffic: RowTraffic | undefined;
  /** The routes whose rules decide this call, if it has none of its own. */
  readonly decidedBy: readonly string[];
}

export interface PageModel {
  readonly digest: string;
  readonly scopes: readonly { readonly name: string; readonly description: string }[];
  readonly rows: readonly MatrixRow[];
  readonly proofs: readonly Proof[];
  readonly outcomes: readonly CaseResult[];
  readonly coverage: Coverage;
  readonly normal: NormalPolicy;
  readonly findings: readonly Finding[];
  readonly diff:
    | { readonly name: string; readonly effect: Effect; readonly report: ChangeReport | undefined }
    | undefined;
  readonly tokens: readonly TokenTraffic[] | undefined;
}

/** Creates the model; throws `PolicyError` if the text is not a policy. */
export function createModel(options: PageOptions): PageModel {
  const { text, file, api, cases, base, tokens, routesShowing = () => undefined } = options;
  const policyFile = parsePolicyFile(text);
  const { policy } = policyFile;
  const normal = normalize(policy);
  const outcomes = runCases(cases, normal);
  const changes = base === undefined ? [] : diffPolicies(base.policy, policy);
  return {
    digest: digestOf(policy),
    scopes: [...policy.scopes].map(([name, description]) => ({ name, description })),
    rows: rowsOf(policyFile, { normal, changes, tokens, routesShowing }),
    proofs: proveAll(policyFile),
    outcomes,
    coverage: coverageOf(outcomes, normal),
    normal,
    findings: check({ source: readSource(file, text), api, base: base?.policy }),
    diff: base && { name: base.name, effect: effectOf(changes), report: base.report },
    tokens,
  };
}

interface RowOptions {
  readonly normal: NormalPolicy;
  readonly changes: readonly Change[];
  readonly tokens: readonly TokenTraffic[] | undefined;
  readonly routesShowing: NonNullable<PageOptions["routesShowing"]>;
}

function rowsOf({ policy, safe, notes }: PolicyFile, options: RowOptions): MatrixRow[] {
  const { normal, changes } = options;
  const columns = new Map([...policy.scopes.keys()].map((scope, index) => [scope, index]));
  const rowsIn = (kind: MatrixRow["kind"], table: "routes" | "fields"): MatrixRow[] => {
    const own = new Map(
      changes.filter((one) => one.kind === kind).map((one) => [one.name, one]),
    );
    const gone = [...own.keys()].filter((name) => !normal[table].has(name));
    return [...normal[table].keys(), ...gone].map((name) => ({
      kind,
      name,
      sets: columnsOf(normal[table].get(name) ?? [], columns),
      reads: kind === "field" || isRead(name, safe),
      change: own.get(name),
      note: notes.get(name),
      traffic: trafficOf(kind, name, options),
      decidedBy: policy.aliases?.get(name) ?? [],
    }));
  };
  return [...rowsIn("call", "routes"), ...rowsIn("field", "fields")];
}

function trafficOf(
  kind: MatrixRow["kind"],
  name: string,
  { normal, tokens, routesShowing }: RowOptions,
): RowTraffic | undefined {
  return tokens && rowTraffic(tokens, {
    formula: normal[kind === "call" ? "routes" : "fields"].get(name) ?? [],
    routes: kind === "call" ? new Set([name]) : routesShowing(name),
    countsDenied: kind === "call",
  });
}

/** The sets of a formula as columns of the matrix. */
function columnsOf(formula: Formula, columns: ReadonlyMap<string, number>): number[][] {
  return formula.map((set) =>
    [...set].flatMap((scope) => columns.get(scope) ?? []).sort((a, b) => a - b)
  );
}
