/**
 * What the files are called, and which command makes those of `spec/`.
 *
 * @module
 */

export const POLICY = "policy/scopes.json";
export const DOCUMENT = "spec/openapi.json";
export const META = "spec/meta.json";
export const CASES = "policy/cases";
export const PAGE = "policy/policy.html";

const SPEC = "deno task spec";

/** The command line that makes the document of the policy in a file. */
export function specCommand(policyFile: string): string {
  return policyFile === POLICY ? SPEC : `RECTO_POLICY_FILE=${quoted(policyFile)} ${SPEC}`;
}

/** A word as a POSIX shell takes it. */
function quoted(word: string): string {
  return /^[\w./:@+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
