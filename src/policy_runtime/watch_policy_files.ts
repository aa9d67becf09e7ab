/**
 * Keeps the policies of a running server those of their files.
 *
 * @module
 */
import type { Log } from "../shared/log.ts";
import { createShadowPolicyFile } from "./shadow_policy_file.ts";
import { type BundleFiles, checkBundle, type PolicyBundle, readTexts } from "./policy_bundle.ts";
import type { Policies, PolicySnapshot } from "./policies.ts";
import { createReloader, type ReloadResult } from "./reload.ts";
import { toRejection } from "./status.ts";
import { watchFiles } from "./watch_files.ts";

export interface WatchPolicyOptions<Published> {
  readonly policies: Policies<Published>;
  readonly paths: BundleFiles<string>;
  /** What the active ruling was made of. */
  readonly texts: BundleFiles<string>;
  /** File of the policy that is tried; undefined where none is. */
  readonly candidate: string | undefined;
  /** `METHOD path` of every endpoint that stands under the policy. */
  readonly routes: readonly string[];
  readonly toSnapshot: (
    bundle: PolicyBundle,
  ) => PolicySnapshot<Published> | Promise<PolicySnapshot<Published>>;
  readonly log: Log;
}

export interface PolicyWatcher {
  /** Reads all files again, as their change does by itself; never rejects. */
  reload(): Promise<ReloadResult | "failed">;
  /** Takes no more changes. */
  stop(): void;
}

/** Reads the candidate, and takes what changes in the files from now on. */
export async function watchPolicyFiles<Published>(
  options: WatchPolicyOptions<Published>,
): Promise<PolicyWatcher> {
  const { paths, candidate, log } = options;
  const reloadBundle = createBundleReloader(options);
  const reloadCandidate = createShadowReloader(options);
  const reload = async () => {
    try {
      const outcome = await reloadBundle();
      await reloadCandidate();
      return outcome;
    } catch (error) {
      log.event("error", `Reload failed, the last good policy stays: ${error}`);
      return "failed";
    }
  };
  const onEnd = (reason: unknown) =>
    log.event("warn", `Policy files are not watched, SIGHUP reloads them: ${reason}`);
  // The candidate by itself: it may be in a folder that is not there.
  const groups = [Object.values(paths), candidate === undefined ? [] : [candidate]];
  const stops = groups.map((files) => watchFiles(files, { changed: reload, onEnd }));
  // For the candidate, and for what changed before anyone watched.
  await reload();
  return { reload, stop: () => stops.forEach((stop) => stop()) };
}

function createBundleReloader<Published>(
  { policies, paths, texts, routes, toSnapshot }: WatchPolicyOptions<Published>,
): () => Promise<ReloadResult> {
  return createReloader({
    active: texts,
    read: () => readTexts(paths),
    check: (found) => checkBundle(found, { paths, routes }),
    activate: async (bundle) => policies.activate(await toSnapshot(bundle)),
    reject: async (refused) => policies.reject(await toRejection(refused, Date.now())),
    clearRejection: () => policies.clearRejection(),
  });
}

function createShadowReloader<Published>(
  { policies, candidate, routes, log }: WatchPolicyOptions<Published>,
): () => Promise<void> {
  if (candidate === undefined) return () => Promise.resolve();
  const { setShadow } = policies;
  return createShadowPolicyFile({ file: candidate, routes, setShadow, log });
}
