/**
 * Starts the gateway from the environment.
 *
 * @module
 */
import { createDecide } from "../gateway/decide.ts";
import type { ActiveGuard } from "../gateway/decide.ts";
import type { Guard } from "../gateway/guard.ts";
import { createGatewayHandler, type GatewayHandler } from "../gateway/handler.ts";
import {
  createMountTable,
  type Mount,
  mountIssues,
  parseMount,
  placeOf,
} from "../gateway/mounts.ts";
import { type GuardFile, openGuardFile } from "../gateway/policy_file.ts";
import { type GatewayConfig, readGatewayConfig } from "../config/gateway.ts";
import { authorityOf, ConfigError, type Environment } from "../config/config.ts";
import { createIsProxy } from "../http/client_address.ts";
import type { DecisionLog } from "../policy_runtime/decision_log.ts";
import { watchFiles } from "../policy_runtime/watch_files.ts";
import { warnOfSources } from "../health/readiness.ts";
import { describeProtectedResource } from "../api/shared/protected_resource.ts";
import { createLog, type Log } from "../shared/log.ts";
import { scopesIn } from "../shared/acr.ts";
import { type Authentication, openAuthentication } from "./authentication.ts";
import { openDecisionLog, throwIfAny, tokenIssues } from "./boot.ts";
import { VERSION } from "./version.ts";
import { openStore } from "./database.ts";
import type { Service, Streams } from "./start.ts";

/** A gateway without a listener. */
export interface BootedGateway {
  readonly handler: GatewayHandler;
  /** Reads all policies again, as a change of their files also does; never rejects. */
  reload(): Promise<void>;
  close(): Promise<void>;
}

/** A policy where it applies. */
interface GuardMount extends Mount {
  readonly source: GuardFile;
  active: ActiveGuard;
}

/** Starts the gateway; rejects with `ConfigError` if anything is wrong. */
export async function startGateway(
  environment: Environment,
  streams: Pick<Streams, "stdout">,
): Promise<Service> {
  const config = readGatewayConfig(environment);
  const log = createLog({ level: config.logLevel, write: streams.stdout, now: Date.now });
  log.event("info", "Starting", { version: VERSION, deno: Deno.version.deno });
  for (const warning of config.warnings) log.event("warn", warning);
  const gateway = await bootGateway(config, log);
  const server = listen(config, gateway.handler, log);
  const address = authorityOf(config.host, server.addr.port);
  log.event("info", "Ready", { version: VERSION, address });
  return {
    stop: async () => {
      log.event("info", "Draining: waiting for requests in flight", { version: VERSION });
      await server.shutdown();
      await gateway.close();
      log.event("info", "Stopped", { version: VERSION });
      await log.close();
    },
    reload: gateway.reload,
  };
}

function listen(
  { host, port }: GatewayConfig,
  handler: GatewayHandler,
  log: Log,
): Deno.HttpServer<Deno.NetAddr> {
  try {
    return Deno.serve({
      hostname: host,
      port,
      automaticCompression: false,
      onListen: () => {},
      onError: (error) => {
        log.event("error", `Sending a response failed: ${error}`);
        return new Response(null, { status: 500 });
      },
    }, handler);
  } catch (error) {
    throw new ConfigError([
      `Cannot listen on RECTO_GATEWAY_HOST=${host} RECTO_GATEWAY_PORT=${port}: ${error}`,
    ]);
  }
}

/** Opens policies, tokens and the store; rejects with `ConfigError` if anything is wrong. */
export async function bootGateway(config: GatewayConfig, log: Log): Promise<BootedGateway> {
  throwIfAny(await tokenIssues(config));
  const decisionLog = await openDecisionLog(config.decisionLog, log);
  const mounts = await openMounts(config, { log, decisionLog });
  const store = await openStore(config.database, log);
  const publicUrl = config.publicUrl ?? `http://${authorityOf(config.host, config.port)}`;
  const authentication = await openAuthentication({ ...config, publicUrl, store });
  void warnOfSources(authentication.sources, log, Date.now());
  const reload = serialized(async () => {
    for (const { source } of mounts) await source.reload();
  });
  const stopWatching = watchFiles(mounts.map(({ file }) => file), {
    onChange: () => void reload(),
    onEnd: (reason) =>
      log.event("warn", `Policy files are not watched, send SIGHUP to reload them: ${reason}`),
  });
  // Changes from before the watcher started.
  await reload();
  const mountOf = createMountTable(mounts);
  const isTrusted = createIsProxy(config.trustedProxies);
  return {
    handler: createGatewayHandler({
      decide: createDecide(authentication.authenticator),
      guardOf: (host, path) => mountOf(host, path)?.active,
      isTrusted,
      pages: createPages({ mounts, authentication, publicUrl }),
      log,
      now: store.now ?? Date.now,
    }),
    reload,
    close: async () => {
      stopWatching();
      await reload();
      await authentication.close();
      await decisionLog?.flush();
      await store.close();
    },
  };
}

async function openMounts(
  config: GatewayConfig,
  { log, decisionLog }: { readonly log: Log; readonly decisionLog: DecisionLog | undefined },
): Promise<GuardMount[]> {
  const parsed = config.mounts.map((text) => ({ text, mount: parseMount(text) }));
  throwIfAny([
    ...parsed.filter(({ mount }) => mount === undefined).map(({ text }) =>
      `RECTO_GATEWAY_POLICIES must be HOST/PREFIX=FILE, HOST=FILE, /PREFIX=FILE or *=FILE: "${text}"`
    ),
    ...mountIssues(parsed.flatMap(({ mount }) => mount ?? []))
      .map((issue) => `RECTO_GATEWAY_POLICIES: ${issue}`),
  ]);
  const toActive = (guard: Guard): ActiveGuard => {
    const observe = decisionLog?.observe({ digest: guard.digest, policy: guard.file.policy });
    return { guard, observers: observe === undefined ? [] : [observe] };
  };
  const opened = await Promise.all(
    parsed.flatMap(({ mount }) => mount ?? []).map(async (mount) => {
      let entry: GuardMount | undefined;
      const onChange = (guard: Guard): void => {
        if (entry !== undefined) entry.active = toActive(guard);
      };
      const mode = config.policyReload;
      const source = await openGuardFile({ file: mount.file, mode, log, now: Date.now, onChange });
      if (!source.ok) return source.issues;
      return entry = { ...mount, source: source.value, active: toActive(source.value.guard) };
    }),
  );
  throwIfAny(opened.flatMap((one) => "source" in one ? [] : one));
  return opened.flatMap((one) => "source" in one ? [one] : []);
}

/** Runs work one at a time; a call that waits covers those that come meanwhile. */
function serialized(work: () => Promise<void>): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  let waiting: Promise<void> | undefined;
  return () =>
    waiting ??= last = last.then(() => {
      waiting = undefined;
      return work();
    });
}

interface PageParts {
  readonly mounts: readonly GuardMount[];
  readonly authentication: Authentication;
  readonly publicUrl: string;
}

function createPages(parts: PageParts): Parameters<typeof createGatewayHandler>[0]["pages"] {
  return {
    "/livez": () => Response.json({ status: "ok" }),
    "/readyz": () => readiness(parts),
    "/.well-known/oauth-protected-resource": () => Response.json(resourceOf(parts)),
  };
}

/** A rejected policy is no outage: the last valid one decides. */
async function readiness({ mounts, authentication }: PageParts): Promise<Response> {
  const faults = await Promise.all(authentication.sources.map(async ({ name, ping }) => {
    try {
      await ping(Date.now());
      return [];
    } catch {
      return [`${name} cannot be reached`];
    }
  }));
  const policies = mounts.map(({ source, active: { guard }, ...mount }) => ({
    place: placeOf(mount),
    service: guard.service,
    digest: guard.digest,
    refused: source.refused.length === 0 ? null : source.refused.slice(0, 20),
  }));
  const issues = faults.flat();
  const status = issues.length === 0 ? "ok" : "unavailable";
  return Response.json({ status, faults: issues, policies }, {
    status: status === "ok" ? 200 : 503,
  });
}

/** The metadata of RFC 9728, for a proxy to serve at the origin of the guarded services. */
function resourceOf({ mounts, authentication, publicUrl }: PageParts): Record<string, unknown> {
  const { resource, issuers, dpopMetadata } = authentication;
  const scopes = mounts.flatMap(({ active: { guard } }) => [...guard.file.policy.scopes.keys()]);
  const { resource_name: _, ...metadata } = describeProtectedResource({
    resource,
    publicUrl,
    authorizationServers: issuers,
    dpopMetadata,
    hasDocs: false,
    scopes: [...new Set(scopesIn(scopes))],
  });
  return metadata;
}
