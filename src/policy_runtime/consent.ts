/**
 * Decides whether approvals cover what a policy would open. Loaded with the first change that needs it.
 *
 * @module
 */
import { type ApprovalFile, parseApproval } from "../policy/analysis/approval.ts";
import { isConsented, reviewChange } from "../policy/analysis/review.ts";
import { FileError } from "../policy/issue.ts";
import { listFiles } from "../policy/lint/list_files.ts";
import { anyInWords } from "../policy/lint/names.ts";
import { approvalLine, guardLine } from "../policy/report/guards.ts";
import type { PolicyFile } from "../policy/schema.ts";
import { readText } from "./policy_bundle.ts";

export interface ConsentOptions {
  /** Name of the policy file, for the sentences. */
  readonly policyFile: string;
  /** Folder of the approvals, which may be missing. */
  readonly approvals: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Returns a sentence for each opening that no approval covers. */
export async function consentIssues(
  active: PolicyFile,
  next: PolicyFile,
  { policyFile, approvals: folder, now }: ConsentOptions,
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
