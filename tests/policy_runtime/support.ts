/**
 * Policies as they are written and changed, and documents that agree with them.
 *
 * @module
 */
import { publish } from "../../src/api/meta/openapi.ts";
import { policyRoutes as routes } from "../../src/api/endpoints.ts";
import type { PublishedDocument } from "../../src/api/shared/services.ts";
import {
  type PolicyWatcher,
  watchPolicyFiles,
} from "../../src/policy_runtime/watch_policy_files.ts";
import {
  type BundleFiles,
  checkBundle,
  type PolicyBundle,
} from "../../src/policy_runtime/policy_bundle.ts";
import { createReloadGate, type ReloadGateOptions } from "../../src/policy_runtime/reload_gate.ts";
import type { PolicySnapshot } from "../../src/policy_runtime/policies.ts";
import { sha256 } from "../../src/openapi/meta.ts";
import { digestOf } from "../../src/policy/digest.ts";
import { parsePolicy, type Rule } from "../../src/policy/schema.ts";
import { type TestApp, type TestAppOptions, withApp } from "../support/app.ts";

/** A policy's file as JSON. */
export interface Raw {
  scopes: Record<string, string>;
  routes: Record<string, unknown>;
  fields: Record<string, unknown>;
  invariants: unknown[];
}

export const PAGE = "GET /v2/pages/:page_id";
export const BLOCK = "GET /v2/blocks/:block_id";

export { routes };

const original = await Deno.readTextFile("policy/scopes.json");

/** The text of our policy's file, changed. It makes no statements, which most changes would break. */
export function policyText(change: (raw: Raw) => void = () => {}): string {
  const raw: Raw = { ...JSON.parse(original), invariants: [] };
  change(raw);
  return `${JSON.stringify(raw, null, 2)}\n`;
}

/** The texts of a policy, of the smallest document that says the same, and of its metadata. */
export async function textsOf(policy: string): Promise<BundleFiles<string>> {
  const parsed = parsePolicy(policy);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [route, rule] of parsed.routes) {
    const [method = "", path = ""] = route.split(" ");
    const template = path.replaceAll(/:(\w+)/g, "{$1}");
    (paths[template] ??= {})[method.toLowerCase()] = { security: securityOf(rule) };
  }
  const info = { "x-policy-digest": digestOf(parsed) };
  const document = JSON.stringify({ openapi: "3.1.1", info, paths });
  const meta = {
    etag: await sha256(document),
    generatedAt: "2026-01-02T03:04:05.678Z",
    pathCount: Object.keys(paths).length,
    schemaCount: 0,
  };
  return { policy, document, meta: JSON.stringify(meta) };
}

function securityOf({ public: isPublic, alternatives }: Rule): unknown {
  return isPublic ? [] : alternatives.map((scopes) => ({ oauth2: scopes }));
}

export function toRuling(pair: PolicyBundle): PolicySnapshot<PublishedDocument> {
  return {
    policy: pair.policy,
    published: { ...publish(pair), policyPage: () => Promise.resolve({ body: "" }) },
  };
}

/** An app whose policy and document are files. */
export interface LiveApp extends TestApp, PolicyWatcher {
  readonly paths: BundleFiles<string>;
  /** Folder of approvals; it does not exist at first. */
  readonly approvals: string;
  /** Puts these texts in place of what the files hold. */
  write(texts: Partial<BundleFiles<string>>): Promise<void>;
  /** The lines that tell of policies. */
  events(): Record<string, unknown>[];
}

export interface LiveAppOptions extends TestAppOptions {
  /** True if changes are taken by themselves too; default false, so that a test says when. */
  readonly watched?: boolean;
  /** File name of a candidate, below the app's folder. */
  readonly candidate?: string;
  /** Text of the policy at the start. */
  readonly startPolicy?: string;
  /** Gate of reloads; its approvals are in the folder `approvals` of the app. */
  readonly gate?: Pick<ReloadGateOptions, "mode" | "digest" | "now">;
  /** Replaces what a reload makes of the files. */
  readonly toSnapshot?: typeof toRuling;
}

function openGate(
  gate: NonNullable<LiveAppOptions["gate"]>,
  { folder, active }: { readonly folder: string; readonly active: PolicyBundle },
) {
  const approvals = `${folder}/approvals`;
  const check = createReloadGate({ ...gate, policyFile: "scopes.json", approvals });
  return { active: active.policyFile, check, approvals };
}

/** Runs a test on an app that is kept the one of its files. */
export async function withLiveApp(
  test: (app: LiveApp) => Promise<void>,
  { candidate, watched = false, toSnapshot = toRuling, ...rest }: LiveAppOptions = {},
): Promise<void> {
  const { startPolicy = policyText(), gate, ...options } = rest;
  const texts = await textsOf(startPolicy);
  const folder = await Deno.makeTempDir({ prefix: "recto-" });
  const paths = {
    policy: `${folder}/scopes.json`,
    document: `${folder}/openapi.json`,
    meta: `${folder}/meta.json`,
  };
  const write: LiveApp["write"] = async (changed) => {
    for (const [name, text] of Object.entries(changed)) {
      await Deno.writeTextFile(new Map(Object.entries(paths)).get(name) ?? "", text);
    }
  };
  await write(texts);
  const checked = await checkBundle(texts, { paths, routes });
  if (!checked.ok) throw new Error(checked.issues.join("\n"));
  await withApp(async (app) => {
    const { log } = app;
    const current = await watchPolicyFiles({
      policies: app.app.policies,
      candidate: candidate === undefined ? undefined : `${folder}/${candidate}`,
      paths,
      texts,
      routes,
      toSnapshot,
      log,
      ...(gate && { gate: openGate(gate, { folder, active: checked.value }) }),
    });
    if (!watched) current.stop();
    const events = () => {
      log.flush();
      return app.lines.filter(({ message }) => message !== undefined);
    };
    try {
      await test({ ...app, ...current, paths, approvals: `${folder}/approvals`, write, events });
    } finally {
      if (watched) current.stop();
    }
  }, { ...options, ...toRuling(checked.value) });
  await Deno.remove(folder, { recursive: true });
}
