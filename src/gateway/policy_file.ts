/**
 * Reads and checks a policy for the gateway, and keeps the last valid one.
 *
 * @module
 */
import { dirname, join } from "node:path";
import { falseStatements } from "../policy/analysis/invariants.ts";
import { PolicyError } from "../policy/issue.ts";
import { routeTableIssues } from "../policy/routes/route_table.ts";
import { parsePolicyFile, type PolicyFile } from "../policy/schema.ts";
import { type Checked, readText } from "../policy_runtime/policy_bundle.ts";
import { createReloadGate } from "../policy_runtime/reload_gate.ts";
import type { Log } from "../shared/log.ts";
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

/** Checks the text of a policy file that the gateway should decide by. */
export function checkGuard(text: string, file: string): Checked<PolicyFile> {
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

/** Reads a policy for the first time; returns all issues if it is invalid. */
export async function openGuardFile(options: GuardFileOptions): Promise<Checked<GuardFile>> {
  const { file, mode, log, now, onChange } = options;
  const first = await readGuard(file);
  if (!first.ok) return first;
  let [text, guard] = [first.value.text, createGuard(first.value.file)];
  let refused: readonly string[] = [];
  const approvals = join(dirname(file), "approvals");
  const gate = createReloadGate({ mode, digest: undefined, policyFile: file, approvals, now });

  async function issuesOf(): Promise<readonly string[]> {
    const next = await readGuard(file);
    if (!next.ok) return next.issues;
    if (next.value.text === text) return [];
    const issues = await gate(guard.file, next.value.file);
    if (issues.length > 0) return issues;
    const before = guard.digest;
    [text, guard] = [next.value.text, createGuard(next.value.file)];
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

interface ReadGuard {
  readonly text: string;
  readonly file: PolicyFile;
}

/** A half-written policy is not JSON. */
async function readGuard(file: string): Promise<Checked<ReadGuard>> {
  const text = await readText(file);
  if (!text.ok) return text;
  const checked = checkGuard(text.value, file);
  return checked.ok ? { ok: true, value: { text: text.value, file: checked.value } } : checked;
}
