/**
 * Keeps the candidate policy the one of its file.
 *
 * @module
 */
import type { Log } from "../shared/log.ts";
import type { Policy } from "../policy/schema.ts";
import { checkPolicy, readText } from "./policy_bundle.ts";

export interface ShadowPolicyFileOptions {
  readonly file: string;
  /** `METHOD path` of every endpoint that stands under the policy. */
  readonly routes: readonly string[];
  readonly setShadow: (policy: Policy | undefined) => void;
  readonly log: Log;
}

/** Creates what reads the file again: one that holds no policy for our routes is no candidate. */
export function createShadowPolicyFile(options: ShadowPolicyFileOptions): () => Promise<void> {
  const { file, routes, setShadow, log } = options;
  let seen: string | undefined;
  let isProposed = false;
  return async () => {
    const read = await readText(file);
    const checked = read.ok ? checkPolicy(read.value, { file, routes }) : read;
    const found = JSON.stringify(read);
    if (found === seen) return;
    seen = found;
    if (!checked.ok) {
      log.event("error", "Candidate policy ignored", { faults: checked.issues });
    }
    if (checked.ok || isProposed) setShadow(checked.ok ? checked.value : undefined);
    isProposed = checked.ok;
  };
}
