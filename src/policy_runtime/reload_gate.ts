/**
 * Decides whether a running server may activate a policy that is valid.
 *
 * @module
 */
import { type ApprovalFile, parseApproval } from "../policy/analysis/approval.ts";
import { isConsented, reviewChange } from "../policy/analysis/review.ts";
import { digestOf } from "../policy/digest.ts";
import { FileError } from "../policy/issue.ts";
import { listFiles } from "../policy/lint/list_files.ts";
import { anyInWords } from "../policy/lint/names.ts";
import { approvalLine, guardLine } from "../policy/report/guards.ts";
import type { PolicyFile } from "../policy/schema.ts";
import { readText } from "./policy_bundle.ts";

export interface ReloadGateOptions {
  /** `approved`: activate only what opens nothing, or what an approval covers. */
  readonly mode: "any" | "approved";
  /** The only digest that may be active; undefined: any. */
  readonly digest: string | undefined;
  /** Name of the policy file, for the sentences. */
  readonly policyFile: string;
  /** Folder of the approvals, which may be missing. */
  readonly approvals: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Returns a sentence for each reason not to activate `next` in the place of `active`. */
export type ReloadGate = (active: PolicyFile, next: PolicyFile) => Promise<readonly string[]>;

/** Creates the gate. Approvals are read for each change, so that they can be added later. */
export function createReloadGate(options: ReloadGateOptions): ReloadGate {
  return async (active, next) => {
    const pinned = digestIssues(next, options);
    if (pinned.length > 0 || options.mode === "any") return pinned;
    return await consentIssues(active, next, options);
  };
}

/** Returns why a policy does not have the pinned digest; an empty list if it has, or none is pinned. */
export function digestIssues(
  { policy }: PolicyFile,
  { digest, policyFile }: Pick<ReloadGateOptions, "digest" | "policyFile">,
): string[] {
  const own = digestOf(policy);
  if (digest === undefined || digest === own) return [];
  return [`${policyFile} has the digest ${own}, but RECTO_POLICY_DIGEST allows only ${digest}`];
}

async function consentIssues(
  active: PolicyFile,
  next: PolicyFile,
  { policyFile, approvals: folder, now }: ReloadGateOptions,
): Promise<string[]> {
  const { approvals, issues } = await readApprovals(folder);
  const review = reviewChange({
    // Cases and approvals guard the files in a review; a server has neither of the old policy.
    before: { file: active, cases: [], approvals: [] },
    after: { file: next, cases: [], approvals: [] },
    today: new Date(now()).toISOString().slice(0, 10),
    approvals,
  });
  if (isConsented(review)) return [];
  const { changes, guards } = review.open;
  return [
    ...changes.map(({ name, gains }) =>
      `${policyFile}: ${name} would open to ${
        tokensOf(gains)
      }, which no approval in ${folder} covers`
    ),
    ...guards.map((guard) =>
      `${policyFile}: ${guardLine(guard)}, which no approval in ${folder} covers`
    ),
    ...review.approvals.flatMap((approval) => approvalLine(approval) ?? []),
    ...issues,
  ];
}

function tokensOf(gains: readonly (readonly string[])[]): string {
  const words = anyInWords(gains);
  return gains.some((set) => set.length === 0) ? words : `tokens with ${words}`;
}

interface ReadApprovals {
  readonly approvals: readonly ApprovalFile[];
  /** Why files could not be used: they approve nothing. */
  readonly issues: readonly string[];
}

async function readApprovals(folder: string): Promise<ReadApprovals> {
  const results = await Promise.all((await listFiles(folder, ".json")).map(readApproval));
  return {
    approvals: results.flatMap((result) => typeof result === "string" ? [] : [result]),
    issues: results.filter((result) => typeof result === "string"),
  };
}

/** Returns an approval, or why it cannot be used. */
async function readApproval(file: string): Promise<ApprovalFile | string> {
  const text = await readText(file);
  if (!text.ok) return text.issues.join("\n");
  try {
    return parseApproval(text.value, file);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return error.message;
  }
}
