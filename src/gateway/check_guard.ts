/**
 * Checks a policy that the gateway should decide by.
 *
 * @module
 */
import { falseStatements } from "../policy/analysis/invariants.ts";
import { PolicyError } from "../policy/issue.ts";
import { routeTableIssues } from "../policy/routes/route_table.ts";
import { parsePolicyFile, type PolicyFile } from "../policy/schema.ts";
import type { Checked } from "../policy_runtime/policy_bundle.ts";

/** A text to check, and the name of its file for the sentences. */
export interface GuardText {
  readonly text: string;
  readonly file: string;
}

/** Checks the text of a policy file that the gateway should decide by. */
export function checkGuard({ text, file }: GuardText): Checked<PolicyFile> {
  try {
    const policyFile = parsePolicyFile(text);
    const { policy } = policyFile;
    const issues = [
      ...routeTableIssues([...policy.routes.keys()])
        .map(({ route, detail }) => `${route}: ${detail}`),
      ...falseStatements(policyFile),
      ...[...policy.fields.keys()].map((field) =>
        `/fields/${field}: The gateway does not see responses, so it cannot hide a field`
      ),
    ];
    return issues.length === 0
      ? { ok: true, value: policyFile }
      : { ok: false, issues: issues.map((issue) => `${file}: ${issue}`) };
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error;
    return { ok: false, issues: error.message.split("\n").map((line) => `${file}: ${line}`) };
  }
}
