/**
 * The guards that a change of policy drops or weakens: statements, entries of `safe`, cases and
 * approvals, each an earlier decision.
 *
 * @module
 */
import type { ApprovalFile } from "./approval.ts";
import { type Case, type CaseFile, runCases } from "./cases.ts";
import { type Counterexample, proveAll } from "./invariants.ts";
import type { Invariant } from "./invariant_schema.ts";
import { normalize } from "./normal.ts";
import type { PolicyFile } from "../schema.ts";
import { isCovered } from "./statement_cover.ts";

/** A guard that is lost or weaker than before. */
export type GuardChange =
  | StatementChange
  | { readonly kind: "safe"; readonly state: "added"; readonly safe: string }
  | {
    readonly kind: "case";
    /**
     * `superseded`: this change decides otherwise, so its gains and losses need consent instead.
     */
    readonly state: "removed" | "superseded";
    readonly case: Case;
  }
  | { readonly kind: "approval"; readonly state: "removed"; readonly approval: string };

export interface StatementChange {
  readonly kind: "statement";
  /** `broken`: it is false under the new policy, whether or not that still states it. */
  readonly state: "broken" | "removed" | "weakened";
  readonly statement: Invariant;
  /** The statements of the new policy under the same name; empty unless it is weakened. */
  readonly becomes: readonly Invariant[];
  /** The smallest token that refutes it, if it is broken. */
  readonly counterexample: Counterexample | undefined;
}

/** A policy file with everything that guards it. */
export interface GuardedPolicy {
  readonly file: PolicyFile;
  readonly cases: readonly CaseFile[];
  readonly approvals: readonly ApprovalFile[];
}

export interface GuardOptions {
  readonly before: GuardedPolicy;
  readonly after: GuardedPolicy;
  /** The date on which approvals are judged: `2026-12-31`. */
  readonly today: string;
}

/** Returns every guard that the new policy lost or weakened, broken statements first. */
export function diffGuards({ before, after, today }: GuardOptions): GuardChange[] {
  return [
    ...brokenStatements(before.file, after.file),
    ...lostStatements(before.file, after.file),
    ...addedSafe(before.file, after.file),
    ...lostCases(before, after),
    ...lostApprovals(before, after).filter(({ until }) => until >= today)
      .map(({ file }) => ({ kind: "approval", state: "removed", approval: file } as const)),
  ];
}

/** Returns whether somebody must agree to a change of a guard. */
export function needsConsent({ state }: GuardChange): boolean {
  return state !== "superseded";
}

/** Returns the true statements of the old policy that are false under the new one. */
function brokenStatements(before: PolicyFile, after: PolicyFile): StatementChange[] {
  const held = proveAll(before).filter(({ counterexamples }) => counterexamples.length === 0);
  const invariants = held.map(({ invariant }) => invariant);
  // The old list of safe calls, because the statements were made with it.
  const proofs = proveAll({ ...after, safe: before.safe, invariants });
  return proofs.flatMap(({ invariant, counterexamples: [counterexample] }) =>
    counterexample === undefined ? [] : [{
      ...{ kind: "statement", state: "broken", statement: invariant, becomes: [] } as const,
      counterexample,
    }]
  );
}

function lostStatements(before: PolicyFile, after: PolicyFile): StatementChange[] {
  return before.invariants.filter((old) => !isCovered(old, after.invariants)).map((statement) => {
    const becomes = after.invariants.filter(({ name }) => name === statement.name);
    return {
      kind: "statement",
      state: becomes.length > 0 ? "weakened" : "removed",
      statement,
      becomes,
      counterexample: undefined,
    };
  });
}

/** A call that counts as reading is no longer among the calls that statements say write. */
function addedSafe(before: PolicyFile, after: PolicyFile): GuardChange[] {
  return [...after.safe].filter((safe) => !before.safe.has(safe))
    .map((safe) => ({ kind: "safe", state: "added", safe }));
}

function lostCases(before: GuardedPolicy, after: GuardedPolicy): GuardChange[] {
  const kept = new Set(after.cases.flatMap(({ cases }) => cases.map(caseKey)));
  const lost = before.cases.map(({ file, cases }) => ({
    file,
    cases: cases.filter((one) => !kept.has(caseKey(one))),
  }));
  const now = runCases(lost, normalize(after.file.policy));
  return runCases(lost, normalize(before.file.policy)).flatMap((old, index) => {
    // A case that failed guarded nothing.
    if (!old.passed) return [];
    const state = now[index]?.passed === true ? "removed" : "superseded";
    return [{ kind: "case", state, case: old.case } as const];
  });
}

/** Returns a text that is equal for cases that expect the same. */
export function caseKey({ note: _, ...one }: Case): string {
  const scopes = one.scopes && [...one.scopes].sort();
  const allBut = one.allBut && [...one.allBut].sort();
  const missing = one.missing?.map((set) => [...set].sort().join(" ")).sort();
  const target = "call" in one ? ["call", one.call] : ["field", one.field];
  return JSON.stringify([target, scopes, allBut, one.effect, missing]);
}

function lostApprovals(
  { approvals }: GuardedPolicy,
  after: GuardedPolicy,
): readonly ApprovalFile[] {
  const kept = new Set(after.approvals.map(contentOf));
  return approvals.filter((approval) => !kept.has(contentOf(approval)));
}

function contentOf({ file: _, ...content }: ApprovalFile): string {
  return JSON.stringify(content);
}
