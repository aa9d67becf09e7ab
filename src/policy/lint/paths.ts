/**
 * The paths of the policy's files, and the command that writes those of `spec/`.
 *
 * @module
 */

export const POLICY = "policy/scopes.json";
export const POLICY_SCHEMA = "policy/scopes.schema.json";
export const DOCUMENT = "spec/openapi.json";
export const META = "spec/meta.json";
export const CASES = "policy/cases";
export const APPROVALS = "policy/approvals";
export const PAGE = "policy/policy.html";

const SPEC = "deno task spec";

/** Returns the command line that writes the document for a policy file. */
export function specCommand(policyFile: string): string {
  return policyFile === POLICY ? SPEC : `RECTO_POLICY_FILE=${quoted(policyFile)} ${SPEC}`;
}

/** Quotes a word for a POSIX shell. */
export function quoted(word: string): string {
  return /^[\w./:@+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
