/**
 * The Worker that checks a policy for the gateway: it takes one message, and sends back the policy or
 * all issues.
 *
 * @module
 */
import type { PolicyFile } from "../policy/schema.ts";
import type { Checked } from "../policy_runtime/policy_bundle.ts";
import { checkGuard, type GuardText } from "./check_guard.ts";

/** The Worker scope; the compiler types `self` as the scope of the main thread. */
interface WorkerScope extends EventTarget {
  postMessage(message: Checked<PolicyFile>): void;
}

const worker = self as unknown as WorkerScope;

worker.addEventListener("message", (event) => {
  // Sound because only a reload sends messages to this Worker.
  const { data } = event as MessageEvent<GuardText>;
  worker.postMessage(checkGuard(data));
});
