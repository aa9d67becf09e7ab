/**
 * The status of a running server's policies: active, rejected and shadow.
 *
 * @module
 */
import { sha256 } from "../openapi/meta.ts";
import { digestOf } from "../policy/digest.ts";
import { parsePolicy } from "../policy/schema.ts";
import type { ShadowPolicy } from "./shadow_policy.ts";
import type { RejectedFiles } from "./reload.ts";

/** Identifies a policy and its document. */
export interface PolicyIdentity {
  /** Digest of the policy's normal form. */
  readonly digest: string;
  /** SHA-256 of the document. */
  readonly document: string;
}

/** Files that a reload rejected, and the reasons. */
export interface Rejection {
  /** Digest of the policy's normal form; null if the file is not a policy. */
  readonly digest: string | null;
  /** SHA-256 of the policy file; null if it cannot be read. */
  readonly policyFile: string | null;
  /** SHA-256 of the document; null if it cannot be read. */
  readonly document: string | null;
  readonly issues: readonly string[];
  /** Milliseconds since the epoch. */
  readonly since: number;
}

export interface PolicyStatus {
  readonly active: PolicyIdentity;
  /** The current content of the files, if it was rejected. */
  readonly refused: Rejection | undefined;
  readonly candidate: ShadowPolicy | undefined;
  /** Number of reloads by result. */
  readonly reloads: { readonly adopted: number; readonly refused: number };
}

const SHOWN_ISSUES = 20;

/** Returns the part of `/readyz` about the policy. */
export function describePolicy(
  { active, refused }: PolicyStatus,
): Readonly<Record<string, unknown>> {
  return {
    digest: active.digest,
    document: active.document,
    refused: refused === undefined ? null : {
      digest: refused.digest,
      policy_file: refused.policyFile,
      document: refused.document,
      since: new Date(refused.since).toISOString(),
      faults: refused.issues.slice(0, SHOWN_ISSUES),
    },
  };
}

/** Returns sentences for readers of the policy page; they change only with the files. */
export function policyNotices({ refused, candidate }: PolicyStatus): string[] {
  const refusal = refused === undefined ? [] : [
    `The policy files changed on ${new Date(refused.since).toISOString()} and were refused. ` +
    "This page shows the policy that is still active.",
    ...refused.issues.slice(0, SHOWN_ISSUES),
  ];
  if (candidate === undefined) return refusal;
  const digest = candidate.digest.slice(0, 12);
  return [
    ...refusal,
    `A candidate policy with digest ${digest} is evaluated beside this one, without effect.`,
  ];
}

/** Describes files that were rejected at `now`, in milliseconds since the epoch. */
export async function toRejection(
  { issues, texts }: RejectedFiles,
  now: number,
): Promise<Rejection> {
  return {
    digest: texts === undefined ? null : digestIfPolicy(texts.policy),
    policyFile: texts === undefined ? null : await sha256(texts.policy),
    document: texts === undefined ? null : await sha256(texts.document),
    issues,
    since: now,
  };
}

function digestIfPolicy(text: string): string | null {
  try {
    return digestOf(parsePolicy(text));
  } catch {
    return null;
  }
}
