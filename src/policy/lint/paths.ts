/**
 * The paths of the policy's files, and the command that writes its document.
 *
 * @module
 */
import { normalize } from "node:path";

export const POLICY = "policy/scopes.json";
export const POLICY_SCHEMA = "policy/scopes.schema.json";
export const DOCUMENT = "spec/openapi.json";
const META = "spec/meta.json";
export const CASES = "policy/cases";
export const APPROVALS = "policy/approvals";
export const PAGE = "policy/policy.html";

const SPEC = "deno task spec";

/** Returns whether a policy file is Recto's own. */
export function isDefaultPolicy(policyFile: string): boolean {
  return normalize(policyFile) === POLICY;
}

export interface DocumentPaths {
  readonly document: string;
  readonly meta: string;
}

/**
 * Returns the paths of a policy's OpenAPI document and of its metadata: `spec/` has those of Recto's
 * own policy, so another policy has them beside it.
 */
export function documentPaths(policyFile: string): DocumentPaths {
  if (isDefaultPolicy(policyFile)) return { document: DOCUMENT, meta: META };
  const stem = policyFile.replace(/\.json$/, "");
  return { document: `${stem}.openapi.json`, meta: `${stem}.meta.json` };
}

/** Returns the command line that writes the document for a policy file. */
export function specCommand(policyFile: string): string {
  return isDefaultPolicy(policyFile) ? SPEC : `RECTO_POLICY_FILE=${quoted(policyFile)} ${SPEC}`;
}

/** Quotes a word for a POSIX shell. */
export function quoted(word: string): string {
  return /^[\w./:@+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
