/**
 * The policies of a running server, and every change of them: one step, one line in the log.
 *
 * @module
 */
import type { Log } from "../observe.ts";
import { digestOf } from "../policy/digest.ts";
import type { Decision } from "../policy/engine.ts";
import type { Policy } from "../policy/schema.ts";
import { type Candidate, createCandidate } from "./candidate.ts";
import type { DecisionLog } from "./decision_log.ts";
import type { Witness } from "./routes.ts";
import type { PolicyStatus, Refusal } from "./status.ts";

/** What requests are judged by and told of, as one value. */
export interface Ruling<Published> {
  readonly policy: Policy;
  readonly published: Published;
}

export interface PoliciesOptions<Published> {
  readonly ruling: Ruling<Published>;
  /** Makes every later request one of this ruling; throws, and changes nothing, where it cannot. */
  readonly install: (ruling: Ruling<Published>, witnesses: readonly Witness[]) => void;
  readonly decisionLog: DecisionLog | undefined;
  readonly log: Log;
}

export interface Policies<Published> {
  readonly status: PolicyStatus;
  adopt(ruling: Ruling<Published>): void;
  /** Notes that the files hold what was not adopted. */
  refuse(refusal: Refusal): void;
  /** Notes that the files hold the active ruling again. */
  restore(): void;
  /** Has another policy judged beside the live one, or none. */
  propose(policy: Policy | undefined): void;
  /** Says how the candidate fared. */
  close(): void;
}

/** Installs the first ruling. */
export function createPolicies<Published extends { readonly etag: string }>(
  { ruling: first, install, decisionLog, log }: PoliciesOptions<Published>,
): Policies<Published> {
  const reloads = { adopted: 0, refused: 0 };
  let ruling = first;
  let proposed: Policy | undefined;
  let status = start(first);

  function start(next: Ruling<Published>): PolicyStatus {
    const digest = digestOf(next.policy);
    const candidate = proposed && startCandidate(proposed, next.policy, log);
    const witnesses = [decisionLog?.witness(digest), candidate?.witness];
    install(next, witnesses.filter((witness) => witness !== undefined));
    const active = { digest, document: next.published.etag };
    return { active, refused: undefined, candidate, reloads };
  }

  function change(next: Ruling<Published>): PolicyStatus {
    const before = status;
    status = start(next);
    ruling = next;
    if (before.candidate !== undefined) sayDifferences(before.candidate, log);
    return before;
  }

  return {
    get status() {
      return status;
    },
    adopt(next) {
      const { active } = change(next);
      reloads.adopted++;
      log.event("info", "Policy reloaded", { policy: status.active, before: active });
    },
    refuse(refused) {
      status = { ...status, refused };
      reloads.refused++;
      const { since: _, ...members } = refused;
      log.event("error", "Policy refused, the last good one stays", { ...members });
    },
    restore() {
      status = { ...status, refused: undefined };
      log.event("info", "Policy files are the active ones again", { policy: status.active });
    },
    propose(policy) {
      const { refused } = status;
      proposed = policy;
      change(ruling);
      status = { ...status, refused };
      const candidate = status.candidate?.digest ?? null;
      log.event("info", "Candidate policy changed", { candidate });
    },
    close() {
      if (status.candidate !== undefined) sayDifferences(status.candidate, log);
    },
  };
}

function startCandidate(policy: Policy, live: Policy, log: Log): Candidate {
  const onDifference = ({ route, effect, missing }: Decision) =>
    log.event("info", `Candidate policy would ${effect} what the live one does not`, {
      route,
      ...(missing.length > 0 && { missing }),
    });
  return createCandidate({ policy, routes: live.routes.keys(), onDifference });
}

function sayDifferences({ digest, judged, differences }: Candidate, log: Log): void {
  const differing = [...differences].filter(([, { allow, deny }]) => allow + deny > 0);
  const differs = Object.fromEntries(differing);
  log.event("info", "Candidate policy judged", { candidate: digest, judged, differs });
}
