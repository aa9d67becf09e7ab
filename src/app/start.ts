/**
 * Starts the service from the environment.
 *
 * @module
 */
import { join } from "node:path";
import { boot } from "./boot.ts";
import { type Config, type Environment, readConfig } from "../config/config.ts";
import type { Handler } from "../http/pipeline.ts";
import type { ProcessGroup } from "../processes/group.ts";
import { createLog, type Log } from "../shared/log.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import { VERSION } from "./version.ts";
import { createLifecycle } from "./lifecycle.ts";
import { proxyWarning } from "./proxy_warning.ts";
import { type Server, startServer } from "./server.ts";
import { startupBanner } from "./startup_banner.ts";

export interface Streams {
  /** Writes whole log lines; only the shutdown waits for it, for one second. */
  readonly stdout: (text: string) => Promise<void>;
  /** Writes messages for people. */
  readonly stderr: (text: string) => Promise<void>;
}

export interface Service extends Server {
  /** Reloads policy, document and shadow policy, and logs the outcome; never rejects. */
  reload(): Promise<void>;
}

const NO_SCHEDULER = "RECTO_BACKUP_SCHEDULE has no effect here: only `recto serve` makes backups";

/** Milliseconds in which clients that use their connections send a request. */
const QUIET = 200;

export interface StartOptions {
  /** Joins the processes that serve together with this one. */
  readonly joinGroup?: (socketPath: string) => Promise<ProcessGroup>;
  /** True if another process makes the backups of the settings. */
  readonly isScheduled?: boolean;
}

/** Starts the service; rejects with `ConfigError` if anything is wrong. */
export async function start(
  environment: Environment,
  streams: Streams,
  { joinGroup, isScheduled }: StartOptions = {},
): Promise<Service> {
  const config = readConfig(environment);
  const group = await joinGroup?.(socketPathOf(config));
  const { log, telemetry } = await openLog(config, streams);
  const speaks = group === undefined || (group.isPrimary && group.isFirst);
  const lifecycle = createLifecycle(config, log);
  if (speaks) {
    lifecycle.starting();
    for (const warning of config.warnings) log.event("warn", warning);
    const warning = proxyWarning(config);
    if (warning !== undefined) log.event("warn", warning);
  }
  if (group === undefined && config.processes > 1) {
    log.event("warn", "RECTO_PROCESSES has no effect here: only `recto serve` starts processes");
  }
  if (group === undefined && config.backups.schedule !== undefined && !isScheduled) {
    log.event("warn", NO_SCHEDULER);
  }
  const { app, publicUrl, scopes, reload } = await boot(config, log, { group, telemetry });
  const { stop } = startServer({ ...config, app, log, quiet: QUIET, ...(group && { group }) });
  if (speaks) {
    lifecycle.ready(publicUrl);
    // Not awaited: nobody may be reading.
    streams.stderr(startupBanner(config, scopes)).catch(() => {});
  }
  group?.ready();
  globalThis.addEventListener("unhandledrejection", (event) => {
    if (event.defaultPrevented) return;
    event.preventDefault();
    log.event("error", `Unhandled rejection: ${event.reason}`);
  });
  return {
    stop: async () => {
      if (group?.isPrimary !== false) lifecycle.draining();
      await stop();
      if (group?.isPrimary !== false) lifecycle.stopped();
      await log.close();
    },
    reload: async () => log.event("info", `SIGHUP: policy ${await reload()}`),
  };
}

/** Opens the log and, if Deno exports anything, what exports it. */
async function openLog(
  { logLevel: level, telemetry: settings }: Config,
  { stdout }: Pick<Streams, "stdout">,
): Promise<{ readonly log: Log; readonly telemetry: Telemetry | undefined }> {
  const options = { level, write: stdout, now: Date.now };
  if (settings === undefined) return { log: createLog(options), telemetry: undefined };
  // Loaded only here, because few need it.
  const { createTelemetry, exportLine } = await import("../telemetry/telemetry.ts");
  return {
    log: createLog({ ...options, exportLine: settings.logs ? exportLine : undefined }),
    telemetry: createTelemetry({ version: VERSION, ...settings }),
  };
}

/** The socket on which the primary listens for the other processes; each service has its own. */
function socketPathOf({ dataDir, port }: Config): string {
  return join(dataDir, `recto-${port}.sock`);
}

/** A service that another program listens for, such as `deno serve`. */
export interface HostedService {
  readonly fetch: Handler;
  /** Lets requests in flight finish, and closes the database. */
  stop(): Promise<void>;
}

/**
 * Starts the service without listening; rejects with `ConfigError` if anything is wrong. `HOST` and
 * `PORT` only tell its URLs.
 */
export async function startHosted(
  environment: Environment,
  streams: Pick<Streams, "stdout">,
): Promise<HostedService> {
  const read = readConfig(environment);
  const config = { ...read, admin: undefined };
  const { log, telemetry } = await openLog(config, streams);
  const lifecycle = createLifecycle(config, log);
  lifecycle.starting();
  for (const warning of config.warnings) log.event("warn", warning);
  if (config.backups.schedule !== undefined) {
    log.event("warn", NO_SCHEDULER);
  }
  if (read.admin !== undefined) {
    log.event("warn", "RECTO_ADMIN_PORT has no effect here: another program listens");
  }
  const { app, publicUrl } = await boot(config, log, { telemetry, sharesFile: true });
  app.indexing.start();
  app.checks.start();
  lifecycle.ready(publicUrl);
  return {
    fetch: app.handler,
    stop: async () => {
      lifecycle.draining();
      await app.drain(QUIET);
      await app.close();
      lifecycle.stopped();
      await log.close();
    },
  };
}
