/**
 * Checks scopes against the policy.
 *
 * @module
 */
import { PolicyError } from "../policy/issue.ts";
import { parsePolicy } from "../policy/schema.ts";
import { scopesIn } from "../shared/acr.ts";
import { didYouMean } from "../shared/did_you_mean.ts";
import { OperatorError } from "../store/operator_error.ts";

/**
 * Returns one sentence for each of these scopes that the policy in a file does not have; rejects with
 * `OperatorError` if the policy is invalid.
 */
export async function scopeIssues(scopes: readonly string[], file: string): Promise<string[]> {
  const known = await readScopes(file);
  return scopes.filter((scope) => !known.has(scope)).map((scope) => {
    const hint = didYouMean(scope, known) ?? `the policy has ${[...known].join(", ")}`;
    return `Unknown scope ${JSON.stringify(scope)}: ${hint}`;
  });
}

/** Divides a list of scopes at spaces. */
export function splitScopes(text: string): string[] {
  return [...new Set(text.split(" ").filter((scope) => scope !== ""))];
}

async function readScopes(file: string): Promise<Set<string>> {
  const text = await Deno.readTextFile(file);
  try {
    return new Set(scopesIn(parsePolicy(text).scopes.keys()));
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error;
    throw new OperatorError(`${file} is invalid: run \`recto policy check\``);
  }
}
