/**
 * A change of policy as a reviewer must judge it: what tokens gain and lose, which guards fall, and
 * who agreed.
 *
 * @module
 */
import { type ApprovalState, type Effects, judgeConsent } from "./approval.ts";
import { diffPolicies, type Effect, effectOf } from "./diff.ts";
import { diffGuards, type GuardedPolicy } from "./guards.ts";
import { digestOf } from "../digest.ts";

export interface Review extends Effects {
  readonly effect: Effect;
  /** The effects that need consent and have none. */
  readonly open: Effects;
  readonly approvals: readonly ApprovalState[];
  /** Digests of both policies. */
  readonly before: string;
  readonly after: string;
}

export interface ReviewOptions {
  readonly before: GuardedPolicy;
  readonly after: GuardedPolicy;
  /** `2026-12-31` */
  readonly today: string;
  /** The approvals that count; default those of the new policy. */
  readonly approvals?: GuardedPolicy["approvals"];
}

/** Reviews a change. */
export function reviewChange(options: ReviewOptions): Review {
  const { before, after, today, approvals = after.approvals } = options;
  const changes = diffPolicies(before.file.policy, after.file.policy);
  const guards = diffGuards({ before, after, today });
  const digests = { before: digestOf(before.file.policy), after: digestOf(after.file.policy) };
  return {
    effect: effectOf(changes),
    changes,
    guards,
    ...digests,
    ...judgeConsent({ changes, guards, approvals, today, ...digests }),
  };
}

/** Returns whether every effect that needs consent has it. */
export function isConsented({ open }: Pick<Review, "open">): boolean {
  return open.changes.length === 0 && open.guards.length === 0;
}
