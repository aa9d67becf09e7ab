/**
 * The calls between the processes of one service. The parent starts the others, the members, and
 * serves no requests; one member is the primary.
 *
 * @module
 */
import type { Grant, Rate } from "../http/rate_limit.ts";
import type { BundleFiles } from "../policy_runtime/policy_bundle.ts";
import type { Rejection } from "../policy_runtime/status.ts";
import type { ProcessCounts } from "./counts.ts";

/** Texts of the files of a policy bundle. */
export type BundleTexts = BundleFiles<string>;

/** The limits of which all processes share the buckets. */
export type LimitName = "default" | "address";

/** The state that a member gets when it starts. */
export interface MemberStart {
  readonly isPrimary: boolean;
  /** True if the service starts, so that nobody else may use its port. */
  readonly isFirst: boolean;
  /** True if the primary can be reached. */
  readonly hasPrimary: boolean;
  /** Number of members. */
  readonly processes: number;
  /** The active policy and document; null if the member reads the files. */
  readonly texts: BundleTexts | null;
  /** The workspaces that the other members hold. */
  readonly held: readonly string[];
  /** Files that were rejected, if the files on disk are not those of the active policy. */
  readonly rejection: Rejection | null;
}

/** A failure of storage that a member noticed. */
export interface StorageFailureReport {
  readonly code: string;
  /** The damaged document, or file with its issue; null if it is unknown. */
  readonly document:
    | { readonly workspace: string; readonly id: string; readonly issue?: string | undefined }
    | null;
}

/** The methods that the parent offers to a member. */
export interface ParentCalls {
  begin(): Promise<MemberStart>;
  /** Resolves once the member has the policy of all others, and may listen. */
  join(texts: BundleTexts): Promise<void>;
  /** Says that the member listens. */
  ready(): void;
  /** Takes up to `count` requests from the bucket of a caller or an address. */
  take(limit: LimitName, rate: Rate, key: string, count: number): Grant;
  refund(limit: LimitName, key: string, count: number): void;
  /** Like `UsedProofs.useProof`; null if too many proofs are remembered. */
  useProof(id: string, expiresTime: number, now: number): Promise<boolean | null>;
  /** Activates a policy in all members at once; resolves when all have it. */
  switchPolicy(texts: BundleTexts, digest: string): Promise<void>;
  /** Tells all other members that the files were rejected, or match the active policy again. */
  setRejection(rejection: Rejection | null): void;
  /** Lets all other members hold a workspace; resolves once they do. */
  hold(workspace: string): Promise<void>;
  /** Lets all other members release a workspace; resolves once they have. */
  release(workspace: string): Promise<void>;
  /** Returns the counts of all other members. */
  counts(): Promise<readonly ProcessCounts[]>;
  /** Tells the primary of a failure. */
  reportFailure(failure: StorageFailureReport): void;
}

/** The methods that a member offers to the parent. */
export interface MemberCalls {
  /** Tells whether the primary can be reached. */
  setPrimary(isUp: boolean): void;
  /** Checks a policy that is to be activated; rejects if it is invalid. */
  prepare(texts: BundleTexts): Promise<void>;
  /** Activates the policy that was prepared. */
  activate(): void;
  setRejection(rejection: Rejection | null): void;
  /** Reloads the files that the member watches. */
  reload(): Promise<void>;
  counts(): Promise<ProcessCounts>;
  reportFailure(failure: StorageFailureReport): void;
  /** From now on, readers of the workspace see it as it is; resolves once no other read is under way. */
  hold(workspace: string): Promise<void>;
  /** From now on, readers of the workspace see the changes since it was held. */
  release(workspace: string): void;
  /** Begins the stop. */
  stop(): void;
  /** Tells the primary that all other members have ended. */
  finish(): void;
}
