/**
 * Decides whether a running server may activate a policy that is valid.
 *
 * @module
 */
import { digestOf } from "../policy/digest.ts";
import type { PolicyFile } from "../policy/schema.ts";
import type { ConsentOptions } from "./consent.ts";

export interface ReloadGateOptions extends ConsentOptions {
  /** `approved`: activate only what opens nothing, or what an approval covers. */
  readonly mode: "any" | "approved";
  /** The only digest that may be active; undefined: any. */
  readonly digest: string | undefined;
}

/** Returns a sentence for each reason not to activate `next` in the place of `active`. */
export type ReloadGate = (active: PolicyFile, next: PolicyFile) => Promise<readonly string[]>;

/** Creates the gate. Approvals are read for each change, so that they can be added later. */
export function createReloadGate(options: ReloadGateOptions): ReloadGate {
  return async (active, next) => {
    const pinned = digestIssues(next, options);
    if (pinned.length > 0 || options.mode === "any") return pinned;
    const { consentIssues } = await import("./consent.ts");
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
