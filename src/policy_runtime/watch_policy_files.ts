/**
 * Keeps the policies of a running server in sync with their files.
 *
 * @module
 */
import { join } from "node:path";
import type { PolicyFile } from "../policy/schema.ts";
import type { ReloadGate } from "./reload_gate.ts";
import type { Log } from "../shared/log.ts";
import { createShadowPolicyFile } from "./shadow_policy_file.ts";
import { type BundleFiles, checkBundle, type PolicyBundle, readTexts } from "./policy_bundle.ts";
import type { Policies, PolicySnapshot } from "./policies.ts";
import { createReloader, type ReloadResult } from "./reload.ts";
import { toRejection } from "./status.ts";
import { watchFiles } from "./watch_files.ts";

export interface WatchPolicyOptions<Published> {
  readonly policies: WatchedPolicies<Published>;
  readonly paths: BundleFiles<string>;
  /** The files of the active bundle. */
  readonly texts: BundleFiles<string>;
  /** Decides whether a valid policy may replace the active one; default: any may. */
  readonly gate?: {
    readonly active: PolicyFile;
    readonly check: ReloadGate;
    /** Folder of the approvals, if changes need any. */
    readonly approvals: string | undefined;
  };
  /** File of the shadow policy, if there is one. */
  readonly candidate: string | undefined;
  /** `METHOD path` of every endpoint that needs a rule. */
  readonly routes: readonly string[];
  /** `METHOD path` of every endpoint that needs an alias; undefined: aliases are not compared. */
  readonly aliases?: readonly string[] | undefined;
  readonly toSnapshot: (bundle: PolicyBundle) => PolicySnapshot<Published>;
  readonly log: Log;
}

/** Policies that change with their files; with several processes, a change takes effect in all. */
export type WatchedPolicies<Published> =
  & Pick<Policies<Published>, "reject" | "clearRejection" | "setShadow">
  & {
    activate(snapshot: PolicySnapshot<Published>, bundle: PolicyBundle): void | Promise<void>;
  };

export interface PolicyWatcher {
  /** Reloads all files, as a change of a file does; never rejects. */
  reload(): Promise<ReloadResult | "failed">;
  /** Stops watching. */
  stop(): void;
}

/** Loads the shadow policy, and reloads files whenever they change. */
export async function watchPolicyFiles<Published>(
  options: WatchPolicyOptions<Published>,
): Promise<PolicyWatcher> {
  const { paths, candidate, log } = options;
  const reloadBundle = createBundleReloader(options);
  const reloadShadow = createShadowReloader(options);
  const reload = async () => {
    try {
      const result = await reloadBundle();
      await reloadShadow();
      return result;
    } catch (error) {
      log.event("error", `Reload failed, the last valid policy stays active: ${error}`);
      return "failed";
    }
  };
  const onEnd = (reason: unknown) =>
    log.event("warn", `Policy files are not watched, send SIGHUP to reload them: ${reason}`);
  // The shadow policy has its own watcher, because its folder may not exist.
  const groups = [
    Object.values(paths),
    candidate === undefined ? [] : [candidate],
    await watchedApprovals(options.gate?.approvals),
  ];
  const stops = groups.map((files) => watchFiles(files, { onChange: reload, onEnd }));
  // Loads the shadow policy, and changes from before the watchers started.
  await reload();
  return { reload, stop: () => stops.forEach((stop) => stop()) };
}

/**
 * Loads the shadow policy, and reloads it whenever it changes: for a process that gets its policy
 * from another one.
 */
export async function watchShadowPolicy<Published>(
  options: Pick<WatchPolicyOptions<Published>, "policies" | "candidate" | "routes" | "log">,
): Promise<{ reload(): Promise<void>; stop(): void }> {
  const { candidate, log } = options;
  const reload = createShadowReloader(options);
  const onEnd = (reason: unknown) => log.event("warn", `Shadow policy is not watched: ${reason}`);
  const stop = watchFiles(candidate === undefined ? [] : [candidate], { onChange: reload, onEnd });
  await reload();
  return { reload, stop };
}

/** A folder that does not exist yet is not watched; SIGHUP reloads then. */
async function watchedApprovals(folder: string | undefined): Promise<readonly string[]> {
  if (folder === undefined) return [];
  try {
    return (await Deno.stat(folder)).isDirectory ? [join(folder, "approval.json")] : [];
  } catch {
    return [];
  }
}

function createBundleReloader<Published>(
  { policies, paths, texts, routes, aliases, toSnapshot, gate }: WatchPolicyOptions<Published>,
): () => Promise<ReloadResult> {
  let active = gate?.active;
  return createReloader({
    active: texts,
    read: () => readTexts(paths),
    check: async (files) => {
      const checked = await checkBundle(files, { paths, routes, aliases });
      if (!checked.ok || gate === undefined || active === undefined) return checked;
      const issues = await gate.check(active, checked.value.policyFile);
      return issues.length === 0 ? checked : { ok: false, issues };
    },
    activate: async (bundle) => {
      await policies.activate(toSnapshot(bundle), bundle);
      active = bundle.policyFile;
    },
    reject: async (rejected) => policies.reject(await toRejection(rejected, Date.now())),
    clearRejection: () => policies.clearRejection(),
  });
}

function createShadowReloader<Published>(
  { policies, candidate, routes, aliases, log }: Pick<
    WatchPolicyOptions<Published>,
    "policies" | "candidate" | "routes" | "aliases" | "log"
  >,
): () => Promise<void> {
  if (candidate === undefined) return () => Promise.resolve();
  const { setShadow } = policies;
  return createShadowPolicyFile({ file: candidate, routes, aliases, setShadow, log });
}
