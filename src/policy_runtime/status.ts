/**
 * What is to be known of the policies of a running server: the one that decides, the one that was
 * refused, the one that is tried.
 *
 * @module
 */
import { sha256 } from "../openapi/meta.ts";
import { digestOf } from "../policy/digest.ts";
import { parsePolicy } from "../policy/schema.ts";
import type { ShadowPolicy } from "./shadow_policy.ts";
import type { RejectedFiles } from "./reload.ts";

/** A policy and a document by their names. */
export interface PolicyIdentity {
  /** Digest of the policy's normal form. */
  readonly digest: string;
  /** SHA-256 of the document. */
  readonly document: string;
}

/** A reload that changed nothing, and why. */
export interface Rejection {
  /** Digest of the policy's normal form; null where the file holds none. */
  readonly digest: string | null;
  /** SHA-256 of the policy's file; null where it cannot be read. */
  readonly policyFile: string | null;
  /** SHA-256 of the document; null where it cannot be read. */
  readonly document: string | null;
  readonly issues: readonly string[];
  /** Milliseconds since the epoch. */
  readonly since: number;
}

export interface PolicyStatus {
  readonly active: PolicyIdentity;
  /** What stands in the files now, where that was refused. */
  readonly refused: Rejection | undefined;
  readonly candidate: ShadowPolicy | undefined;
  /** How many reloads were taken and how many were refused. */
  readonly reloads: { readonly adopted: number; readonly refused: number };
}

const SHOWN_ISSUES = 20;

/** What `/readyz` says of the policy. */
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

/** Notes a refusal that was made at `now`, ms since the epoch. */
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
