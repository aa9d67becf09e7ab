/**
 * Boots the service from a configuration: opens its files and the database, and checks that they
 * agree.
 *
 * @module
 */
import { dirname, join } from "node:path";
import { policyRoutes as routes } from "../api/endpoints.ts";
import { publish } from "../api/meta/openapi.ts";
import type { PublishedDocument } from "../api/shared/services.ts";
import { type App, type AppOptions, createApp } from "./app.ts";
import { loadDatabase, openGroupStore, openStore } from "./database.ts";
import { followGroup, type PolicyFilesOptions } from "./group.ts";
import type { ProcessGroup } from "../processes/group.ts";
import { keyFileIssue } from "../auth/key_sources.ts";
import { authUrlIssues } from "../auth/urls.ts";
import {
  authorityOf,
  type Config,
  ConfigError,
  isEveryAddress,
  isLoopback,
  type IssuerConfig,
} from "../config/config.ts";
import { type AuditLog, createAuditLog } from "../http/audit_log.ts";
import { notionRoutes } from "../notion/routes.ts";
import { addEncodings } from "../http/encoding.ts";
import { openAppend } from "../shared/line_writer.ts";
import { createDecisionLog, type DecisionLog } from "../policy_runtime/decision_log.ts";
import { type PolicyWatcher, watchPolicyFiles } from "../policy_runtime/watch_policy_files.ts";
import {
  createReloadGate,
  digestIssues,
  type ReloadGateOptions,
} from "../policy_runtime/reload_gate.ts";
import {
  checkBundle,
  type Checked,
  type PolicyBundle,
  readTexts,
} from "../policy_runtime/policy_bundle.ts";
import type { PolicySnapshot } from "../policy_runtime/policies.ts";
import { documentPaths } from "../policy/lint/paths.ts";
import { scopesIn } from "../shared/acr.ts";
import { lazy } from "../shared/lazy.ts";
import type { Log } from "../shared/log.ts";
import { createMetrics } from "../shared/metrics.ts";
import { createStoreMetrics, storeSources } from "../store/store_metrics.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import { runInWorker } from "../workers/run_in_worker.ts";
import { compressInWorker } from "../workers/compressor.ts";
import { createPolicyPage } from "../web/policy_page.ts";

export interface BootedService {
  readonly app: App;
  readonly publicUrl: string;
  /** Scopes of the policy at the start. */
  readonly scopes: readonly string[];
  /**
   * Reloads policy, document and shadow policy, as a change of their files also does; never
   * rejects.
   */
  readonly reload: PolicyWatcher["reload"];
}

export interface BootOptions {
  readonly group?: ProcessGroup | undefined;
  readonly telemetry?: Telemetry | undefined;
  /** True if other threads may serve from the same database file. */
  readonly sharesFile?: boolean;
}

/** Boots the service; rejects with `ConfigError` if anything is wrong. */
export async function boot(
  config: Config,
  log: Log,
  { group, telemetry, sharesFile = false }: BootOptions = {},
): Promise<BootedService> {
  throwIfAny(await tokenIssues(config));
  const paths = { policy: config.policyFile, ...documentPaths(config.policyFile) };
  const pageFiles = {
    policy: config.policyFile,
    cases: join(dirname(config.policyFile), "cases"),
  };
  const texts = group?.texts ?? valueOf(await readTexts(paths));
  const aliases = config.notionApi ? notionRoutes : undefined;
  const bundle = valueOf(await checkBundle(texts, { paths, routes, aliases }));
  const gateOptions = gateOptionsOf(config);
  throwIfAny(digestIssues(bundle.policyFile, gateOptions));
  const decisionLog = await openDecisionLog(config.decisionLog, log);
  const auditLog = await openAuditLog(config.auditLog, log);
  const storeMetrics = createStoreMetrics();
  const { store, forwardsWrites } = group === undefined
    ? {
      store: await openStore(config.database, log, { metrics: storeMetrics, sharesFile }),
      forwardsWrites: false,
    }
    : await openGroupStore(config.database, log, { group, metrics: storeMetrics });
  const publicUrl = publicUrlOf(config, log);
  const stopping = new AbortController();
  const toSnapshot = (next: PolicyBundle): PolicySnapshot<PublishedDocument> => {
    const compress = lazy(() => encode(published, log, stopping.signal));
    const policyPage = createPolicyPage(next, pageFiles, stopping.signal);
    const published: PublishedDocument = { ...publish(next, () => void compress()), policyPage };
    return { policy: next.policy, published };
  };
  const snapshot = toSnapshot(bundle);
  // Parts outside the app register what they measure here.
  const metrics = createMetrics();
  metrics.register(...storeSources(storeMetrics));
  const app = await createApp({
    metrics,
    telemetry,
    config,
    publicUrl,
    ...snapshot,
    store,
    log,
    ...(store.now && { now: store.now }),
    fallbackAuthority: fallbackAuthorityOf(config),
    ...(decisionLog && { decisionLog }),
    ...(auditLog && { auditLog }),
    checkStructure: await structureCheckOf(config.database),
    ...(group && { group, forwardsWrites }),
  });
  const watch: PolicyFilesOptions = {
    policies: app.policies,
    candidate: config.policyCandidate,
    paths,
    texts,
    routes,
    aliases,
    log,
    gate: {
      active: bundle.policyFile,
      check: createReloadGate(gateOptions),
      approvals: config.policyReload === "approved" ? gateOptions.approvals : undefined,
    },
    toSnapshot,
  };
  const { reload, stop } = group === undefined
    ? await watchPolicyFiles(watch)
    : await followGroup({ ...watch, app, store, group });
  const close = async () => {
    stop();
    stopping.abort();
    await app.close();
  };
  const scopes = scopesIn(bundle.policy.scopes.keys());
  return { app: { ...app, close }, publicUrl, scopes, reload };
}

/** Returns the URL that clients use; warns if it is that of this machine alone. */
function publicUrlOf(config: Config, log: Log): string {
  if (config.publicUrl !== undefined) return config.publicUrl;
  const url = originOf(config);
  if (isEveryAddress(config.host)) {
    log.event(
      "warn",
      `RECTO_PUBLIC_URL is not set: URLs start with ${url}, which only works on this machine`,
    );
  }
  return url;
}

function gateOptionsOf({ policyFile, policyReload, policyDigest }: Config): ReloadGateOptions {
  return {
    mode: policyReload,
    digest: policyDigest,
    policyFile,
    approvals: join(dirname(policyFile), "approvals"),
    now: Date.now,
  };
}

/** Compresses document and metadata in a Worker; never rejects. */
async function encode(
  { document, meta }: PublishedDocument,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  const replies = [document, meta];
  try {
    const encodings = await compressInWorker(replies.map(({ body }) => body), signal);
    replies.forEach((reply, index) => addEncodings(reply, encodings[index] ?? new Map()));
  } catch (error) {
    if (!signal.aborted) {
      log.event("error", `The OpenAPI document could not be compressed: ${error}`);
    }
  }
}

async function structureCheckOf(
  config: Config["database"],
): Promise<AppOptions["checkStructure"]> {
  const { structureCheck } = await loadDatabase(config);
  if (structureCheck === undefined) return undefined;
  const { module, path } = structureCheck;
  return (signal) => runInWorker({ module, purpose: "checks the database", signal }, path);
}

/** Opens the decision log, if there is one; rejects with `ConfigError`. */
export async function openDecisionLog(
  path: string | undefined,
  log: Log,
): Promise<DecisionLog | undefined> {
  if (path === undefined) return undefined;
  const onLoss = (reason: unknown) =>
    log.event("error", `Decision log is dropping lines: ${reason}`);
  try {
    return createDecisionLog({ append: await openInFolder(path), now: Date.now, onLoss });
  } catch (error) {
    throw new ConfigError([`RECTO_DECISION_LOG cannot be written: ${error}`]);
  }
}

/** The data folder does not exist before the first start. */
async function openInFolder(path: string): ReturnType<typeof openAppend> {
  try {
    return await openAppend(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    await Deno.mkdir(dirname(path), { recursive: true });
    return await openAppend(path);
  }
}

async function openAuditLog(path: string | undefined, log: Log): Promise<AuditLog | undefined> {
  if (path === undefined) return undefined;
  const onLoss = (reason: unknown) => log.event("error", `Audit log is dropping lines: ${reason}`);
  try {
    const append = path === "-" ? appendToStderr : await openAppend(path);
    return createAuditLog({ append, now: Date.now, onLoss });
  } catch (error) {
    throw new ConfigError([`RECTO_AUDIT_LOG cannot be written: ${error}`]);
  }
}

/** Standard output has the request log. */
async function appendToStderr(text: string): Promise<void> {
  const encoder = new TextEncoder();
  for (let bytes = encoder.encode(text); bytes.length > 0;) {
    bytes = bytes.subarray(await Deno.stderr.write(bytes));
  }
}

/**
 * Deno uses `localhost` for loopback and unspecified addresses, and any other address unchanged.
 */
function fallbackAuthorityOf({ host, port }: Config): string {
  const isNamed = isLoopback(host) || isEveryAddress(host);
  return isNamed ? `localhost:${port}` : authorityOf(host, port);
}

/** Returns the origin under which this machine reaches the service. */
function originOf({ host, port }: Config): string {
  return `http://${authorityOf(isEveryAddress(host) ? "localhost" : host, port)}`;
}

/**
 * Checks URLs without calling them, as they may be unreachable for a while, but reads the key file.
 */
async function issuerIssues(
  { issuer, signsTokens, jwksUrl, jwksFile, introspection, ...networks }: IssuerConfig,
  host: string,
): Promise<readonly string[]> {
  const urlIssues = authUrlIssues({
    ...(signsTokens && { issuer }),
    ...(jwksUrl !== undefined && { jwksUrl }),
    ...(jwksFile !== undefined && { jwksFile }),
    ...(introspection && { introspectionUrl: introspection.url }),
  }, { ...networks, loopback: isLoopback(host) });
  const fileIssue = jwksFile && await keyFileIssue("RECTO_AUTH_JWKS_FILE", jwksFile);
  return fileIssue ? [...urlIssues, fileIssue] : urlIssues;
}

function valueOf<T>(checked: Checked<T>): T {
  if (!checked.ok) throw new ConfigError(checked.issues);
  return checked.value;
}

/** Returns what is wrong with the URLs and the key file of the issuer. */
export async function tokenIssues({ auth, host }: Config): Promise<readonly string[]> {
  return auth.kind === "issuer" ? await issuerIssues(auth, host) : [];
}

/** Throws `ConfigError` if there are issues. */
export function throwIfAny(issues: readonly string[]): void {
  if (issues.length > 0) throw new ConfigError(issues);
}
