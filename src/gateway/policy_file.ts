/**
 * Reads and checks a policy for the gateway, and keeps the last valid one.
 *
 * @module
 */
import { dirname, join } from "node:path";
import { compilePatterns } from "../policy/routes/route_table.ts";
import type { PolicyFile } from "../policy/schema.ts";
import { type Checked, readText } from "../policy_runtime/policy_bundle.ts";
import { createReloadGate } from "../policy_runtime/reload_gate.ts";
import type { Log } from "../shared/log.ts";
import { createBackgroundRest } from "../shared/yield_to_event_loop.ts";
import { runInWorker } from "../workers/run_in_worker.ts";
import { checkGuard, type GuardText } from "./check_guard.ts";
import { createGuard, type Guard } from "./guard.ts";

/** A policy of a running gateway. */
export interface GuardFile {
  readonly guard: Guard;
  /** Why the current content of the file is not active; empty if it is. */
  readonly refused: readonly string[];
  /** Reads the file again. Rejects never; an invalid policy leaves the last valid one active. */
  reload(): Promise<void>;
}

export interface GuardFileOptions {
  readonly file: string;
  /** The policies that a reload may activate. */
  readonly mode: "any" | "approved";
  readonly log: Log;
  readonly now: () => number;
  readonly onChange: (guard: Guard) => void;
}

/** Reads a policy for the first time; returns all issues if it is invalid. */
export async function openGuardFile(options: GuardFileOptions): Promise<Checked<GuardFile>> {
  const { file, mode, log, now, onChange } = options;
  const firstText = await readText(file);
  if (!firstText.ok) return firstText;
  // Here, because nothing is served yet: the patterns are compiled already when the guard needs them.
  const first = checkGuard({ text: firstText.value, file });
  if (!first.ok) return first;
  let [text, guard] = [firstText.value, createGuard(first.value)];
  let refused: readonly string[] = [];
  const approvals = join(dirname(file), "approvals");
  const gate = createReloadGate({ mode, digest: undefined, policyFile: file, approvals, now });

  async function issuesOf(): Promise<readonly string[]> {
    // A half-written policy is not JSON.
    const read = await readText(file);
    if (!read.ok) return read.issues;
    if (read.value === text) return [];
    const next = await checkInWorker({ text: read.value, file });
    if (!next.ok) return next.issues;
    const issues = await gate(guard.file, next.value);
    if (issues.length > 0) return issues;
    await compilePatterns(next.value.policy.routes.keys(), createBackgroundRest());
    const before = guard.digest;
    [text, guard] = [read.value, createGuard(next.value)];
    log.event("info", "Policy reloaded", { file, digest: guard.digest, before });
    onChange(guard);
    return [];
  }

  async function reload(): Promise<void> {
    const issues = await issuesOf().catch((error) => [`${file} cannot be used: ${error}`]);
    // Reported once, however often the file is touched.
    if (issues.length > 0 && issues.join("\n") !== refused.join("\n")) {
      log.event("error", "Policy rejected, the last valid one stays active", {
        file,
        faults: issues,
      });
    }
    refused = issues;
  }

  return {
    ok: true,
    value: {
      get guard() {
        return guard;
      },
      get refused() {
        return refused;
      },
      reload,
    },
  };
}

/** A policy with a thousand patterns takes a second to check, in which requests are decided. */
function checkInWorker(request: GuardText): Promise<Checked<PolicyFile>> {
  const module = import.meta.resolve("./check_guard_worker.ts");
  const { signal } = new AbortController();
  return runInWorker({ module, purpose: "checks a policy", signal }, request);
}
