/**
 * The policies of a running server. Each change is one step and one line in the log.
 *
 * @module
 */
import type { Log } from "../shared/log.ts";
import { digestOf } from "../policy/digest.ts";
import type { Decision } from "../policy/engine.ts";
import type { Policy } from "../policy/schema.ts";
import { createShadowPolicy, type FieldEffect, type ShadowPolicy } from "./shadow_policy.ts";
import type { DecisionLog } from "./decision_log.ts";
import type { DecisionObserver } from "./routes.ts";
import type { PolicyStatus, Rejection } from "./status.ts";

/** A policy and what the server publishes about it, which requests see together. */
export interface PolicySnapshot<Published> {
  readonly policy: Policy;
  readonly published: Published;
}

export interface PoliciesOptions<Published> {
  readonly snapshot: PolicySnapshot<Published>;
  /** Applies the snapshot to all later requests; if it throws, nothing changes. */
  readonly install: (
    snapshot: PolicySnapshot<Published>,
    observers: readonly DecisionObserver[],
  ) => void;
  readonly decisionLog: DecisionLog | undefined;
  readonly log: Log;
  /** True if changes are logged: if several processes make them, one says so; default true. */
  readonly announces?: boolean;
}

export interface Policies<Published> {
  readonly status: PolicyStatus;
  activate(snapshot: PolicySnapshot<Published>): void;
  /** Records that the files were rejected. */
  reject(rejection: Rejection): void;
  /** Records that the files contain the active snapshot again. */
  clearRejection(): void;
  /** Sets or removes the policy that is evaluated beside the active one. */
  setShadow(policy: Policy | undefined): void;
  /** Logs the differences of the shadow policy. */
  close(): void;
}

/** Installs the first snapshot. */
export function createPolicies<Published extends { readonly etag: string }>(
  { snapshot: first, install, decisionLog, log, announces = true }: PoliciesOptions<Published>,
): Policies<Published> {
  const announce: Log["event"] = announces ? log.event : () => {};
  const reloads = { adopted: 0, refused: 0 };
  let snapshot = first;
  let shadow: Policy | undefined;
  let status = start(first);

  function start(next: PolicySnapshot<Published>): PolicyStatus {
    const digest = digestOf(next.policy);
    const candidate = shadow && startShadow(shadow, next.policy, log);
    const observers = [decisionLog?.observe({ digest, policy: next.policy }), candidate?.observe];
    install(next, observers.filter((observe) => observe !== undefined));
    const active = { digest, document: next.published.etag };
    return { active, refused: undefined, candidate, reloads };
  }

  function change(next: PolicySnapshot<Published>): PolicyStatus {
    const before = status;
    status = start(next);
    snapshot = next;
    if (before.candidate !== undefined) logDifferences(before.candidate, log);
    return before;
  }

  return {
    get status() {
      return status;
    },
    activate(next) {
      const { active } = change(next);
      reloads.adopted++;
      announce("info", "Policy reloaded", { policy: status.active, before: active });
    },
    reject(refused) {
      status = { ...status, refused };
      reloads.refused++;
      const { since: _, issues: faults, ...members } = refused;
      announce("error", "Policy rejected, the last valid one stays active", {
        ...members,
        faults,
      });
    },
    clearRejection() {
      status = { ...status, refused: undefined };
      announce("info", "Policy files match the active policy again", { policy: status.active });
    },
    setShadow(policy) {
      const { refused } = status;
      shadow = policy;
      change(snapshot);
      status = { ...status, refused };
      const candidate = status.candidate?.digest ?? null;
      announce("info", "Candidate policy changed", { candidate });
    },
    close() {
      if (status.candidate !== undefined) logDifferences(status.candidate, log);
    },
  };
}

function startShadow(policy: Policy, active: Policy, log: Log): ShadowPolicy {
  const onDifference = ({ route, effect, missing }: Decision) =>
    log.event("info", `Candidate policy would ${effect} a call that the active one does not`, {
      route,
      ...(missing.length > 0 && { missing }),
    });
  const onFieldDifference = (field: string, effect: FieldEffect) =>
    log.event("info", `Candidate policy would ${effect} a field that the active one does not`, {
      field,
    });
  return createShadowPolicy({ policy, active, onDifference, onFieldDifference });
}

function logDifferences(shadow: ShadowPolicy, log: Log): void {
  const { digest, judged, differences, fieldDifferences } = shadow;
  const differing = [...differences].filter(([, { allow, deny }]) => allow + deny > 0);
  const fields = [...fieldDifferences].filter(([, { show, hide }]) => show + hide > 0);
  log.event("info", "Candidate policy evaluated", {
    candidate: digest,
    judged,
    differs: Object.fromEntries(differing),
    ...(fields.length > 0 && { fields: Object.fromEntries(fields) }),
  });
}
