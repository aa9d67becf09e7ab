/**
 * Loads the shadow policy from its file.
 *
 * @module
 */
import type { Log } from "../shared/log.ts";
import type { Policy } from "../policy/schema.ts";
import { checkPolicy, readText } from "./policy_bundle.ts";

export interface ShadowPolicyFileOptions {
  readonly file: string;
  /** `METHOD path` of every endpoint that needs a rule. */
  readonly routes: readonly string[];
  readonly aliases?: readonly string[] | undefined;
  readonly setShadow: (policy: Policy | undefined) => void;
  readonly log: Log;
}

/** Creates the function that reloads the file. A file without a policy for our routes is ignored. */
export function createShadowPolicyFile(options: ShadowPolicyFileOptions): () => Promise<void> {
  const { file, routes, aliases, setShadow, log } = options;
  let last: string | undefined;
  let isSet = false;
  return async () => {
    const text = await readText(file);
    const checked = text.ok ? checkPolicy(text.value, { file, routes, aliases }) : text;
    const current = JSON.stringify(text);
    if (current === last) return;
    last = current;
    if (!checked.ok) {
      log.event("error", "Candidate policy ignored", { faults: checked.issues });
    }
    if (checked.ok || isSet) setShadow(checked.ok ? checked.value.policy : undefined);
    isSet = checked.ok;
  };
}
