/**
 * One process of several: joins the others, and changes its policy together with them.
 *
 * @module
 */
import type { PublishedDocument } from "../api/shared/services.ts";
import type { ProcessGroup } from "../processes/group.ts";
import { createWriteHandler } from "../processes/remote_writes.ts";
import { checkBundle, type PolicyBundle } from "../policy_runtime/policy_bundle.ts";
import type { Policies, PolicySnapshot } from "../policy_runtime/policies.ts";
import {
  type PolicyWatcher,
  type WatchedPolicies,
  watchPolicyFiles,
  type WatchPolicyOptions,
  watchShadowPolicy,
} from "../policy_runtime/watch_policy_files.ts";
import { digestOf } from "../policy/digest.ts";
import type { Store } from "../store/port.ts";
import type { WriteRequest } from "../store/writing.ts";
import type { App } from "./app.ts";

export type PolicyFilesOptions =
  & Omit<WatchPolicyOptions<PublishedDocument>, "policies">
  & { readonly policies: Policies<PublishedDocument> };

export interface GroupMemberOptions extends PolicyFilesOptions {
  readonly app: App;
  readonly store: Store;
  readonly group: ProcessGroup;
}

/** Joins the other processes. The primary watches the files of the policy for all. */
export async function followGroup(options: GroupMemberOptions): Promise<PolicyWatcher> {
  const { app, store, group, policies, texts } = options;
  const prepared = createPreparedPolicy(options);
  if (group.isPrimary) {
    group.servePrimary({
      requests: app.handleForwarded,
      ownCalls: createWriteHandler((request) => write(store, request)),
    });
  }
  await group.join(texts, {
    prepare: prepared.prepare,
    activate: prepared.activate,
    setRejection: (rejection) =>
      rejection === null ? policies.clearRejection() : policies.reject(rejection),
    counts: app.counts,
    reportFailure: ({ code, document }) =>
      app.recordFailure({
        code,
        error: Object.assign(new Error("Another process noticed damage"), document),
      }),
  });
  if (group.rejection !== undefined) policies.reject(group.rejection);
  const watcher = group.isPrimary
    ? await watchPolicyFiles({ ...options, policies: shareChanges(options, prepared) })
    : await watchShadow(options);
  group.onReload(async () => {
    const result = await watcher.reload();
    if (group.isPrimary) options.log.event("info", `SIGHUP: policy ${result}`);
  });
  return watcher;
}

interface PreparedPolicy {
  /** Checks a policy of another process. */
  prepare(texts: WatchPolicyOptions<PublishedDocument>["texts"]): Promise<void>;
  /** Sets what is activated next. */
  set(snapshot: PolicySnapshot<PublishedDocument>): void;
  activate(): void;
}

function createPreparedPolicy(
  { paths, routes, aliases, policies, toSnapshot }: PolicyFilesOptions,
): PreparedPolicy {
  let next: PolicySnapshot<PublishedDocument> | undefined;
  return {
    prepare: async (texts) => {
      const checked = await checkBundle(texts, { paths, routes, aliases });
      if (!checked.ok) throw new Error(checked.issues.join("; "));
      next = toSnapshot(checked.value);
    },
    set: (snapshot) => {
      next = snapshot;
    },
    activate: () => {
      if (next === undefined) throw new Error("No policy was prepared");
      policies.activate(next);
      next = undefined;
    },
  };
}

/** The policies of all processes, as the primary changes them. */
function shareChanges(
  { policies, group }: GroupMemberOptions,
  prepared: PreparedPolicy,
): WatchedPolicies<PublishedDocument> {
  return {
    activate: (snapshot, bundle) => {
      prepared.set(snapshot);
      return group.switchPolicy(textsOf(bundle), digestOf(bundle.policy));
    },
    reject: (rejection) => {
      policies.reject(rejection);
      group.shareRejection(rejection);
    },
    clearRejection: () => {
      policies.clearRejection();
      group.shareRejection(undefined);
    },
    setShadow: policies.setShadow,
  };
}

function textsOf({ policyText, document, meta }: PolicyBundle) {
  return { policy: policyText, document, meta };
}

async function watchShadow(options: PolicyFilesOptions): Promise<PolicyWatcher> {
  const { reload, stop } = await watchShadowPolicy(options);
  return {
    reload: async () => {
      await reload();
      return "unchanged";
    },
    stop,
  };
}

function write(store: Store, { method, args }: WriteRequest): Promise<unknown> {
  // Sound because WriteRequest pairs each method with its own arguments.
  const call = store[method] as (...given: typeof args) => Promise<unknown>;
  return call(...args);
}
