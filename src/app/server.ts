/**
 * The HTTP server: listens, restarts a failed listener, and stops gracefully.
 *
 * @module
 */
import type { App } from "./app.ts";
import { type AdminConfig, ConfigError } from "../config/config.ts";
import type { Handler } from "../http/pipeline.ts";
import type { ProcessGroup } from "../processes/group.ts";
import type { Log } from "../shared/log.ts";

export interface ServerOptions {
  readonly host: string;
  readonly port: number;
  /** The address for operators; undefined: the same port as for all others. */
  readonly admin?: AdminConfig | undefined;
  readonly app: App;
  readonly log: Log;
  /** The other processes that listen on this port; undefined if there are none. */
  readonly group?: ProcessGroup;
  /** Milliseconds for requests and downloads in flight to finish at a stop; default 25 s. */
  readonly grace?: number;
  /**
   * Milliseconds without a request after which a stop closes connections; default 0. Clients that
   * send requests meanwhile close theirs.
   */
  readonly quiet?: number;
}

export interface Server {
  /**
   * Lets requests in flight finish within the grace, stops listening and closes the app.
   * Idempotent.
   */
  stop(): Promise<void>;
}

const GRACE = 25_000;
/**
 * Milliseconds for Deno to send what it has buffered: the ends of streams, and bodies that are not
 * streamed.
 */
const CLOSING_TIME = 5_000;
const RESTART_DELAY = 500;

/** Starts listening and the background work; throws `ConfigError` if a port is taken. */
export function startServer(options: ServerOptions): Server {
  const { host, port, admin, app, log, group, grace = GRACE, quiet = 0 } = options;
  let stopping: Promise<void> | undefined;
  const address: ListenAddress = { host, port, names: ["HOST", "PORT"] };
  if (group?.isFirst && group.isPrimary) reportTaken(address, () => assertFree(address));
  const isShared = group !== undefined;
  const clients = keepListening({ ...address, isShared, handler: app.handler, log });
  // One process answers operators for all.
  const operators = admin && group?.isPrimary !== false
    ? keepListening({
      ...admin,
      names: ["RECTO_ADMIN_HOST", "RECTO_ADMIN_PORT"],
      isShared: false,
      log,
      handler: app.adminHandler,
    })
    : undefined;
  app.indexing.start();
  app.checks.start();

  async function stop(): Promise<void> {
    // Deno's shutdown breaks request bodies that are being read, so requests must finish first. It
    // cannot be followed by an abort, which is the only way to cut requests that do not finish.
    const started = performance.now();
    clients.keep(false);
    const isIdle = await settlesWithin(app.drain(quiet), grace);
    const left = started + grace - performance.now();
    if (isIdle) await settlesWithin(clients.shutdown(), Math.min(CLOSING_TIME, left));
    else clients.abort();
    await group?.finish();
    // Last, so that operators can follow the stop.
    operators?.keep(false);
    operators?.abort();
    await app.close();
  }

  return { stop: () => stopping ??= stop() };
}

interface ListenAddress {
  readonly host: string;
  readonly port: number;
  /** The settings that name it. */
  readonly names: readonly [host: string, port: string];
}

interface ListenOptions extends ListenAddress {
  /** True if other processes listen on the same port. */
  readonly isShared: boolean;
  readonly handler: Handler;
  readonly log: Log;
}

interface KeptListener {
  /** Returns whether a listener that fails is replaced. */
  keep(isKept: boolean): void;
  shutdown(): Promise<void>;
  abort(): void;
}

/**
 * Listens, and again if the listener fails. If the system runs out of file descriptors, the
 * listener fails, and a new one may fail too; the service must survive that.
 */
function keepListening(options: ListenOptions): KeptListener {
  const { log } = options;
  let isKept = true;
  let current = reportTaken(options, () => listen(options, restart));

  function restart(error: unknown): void {
    if (!isKept) return;
    log.event("error", `Listener failed, restarting it: ${error}`);
    setTimeout(() => {
      if (!isKept) return;
      try {
        current = listen(options, restart);
      } catch (failure) {
        restart(failure);
      }
    }, RESTART_DELAY);
  }

  return {
    keep: (value) => {
      isKept = value;
    },
    shutdown: () => current.server.shutdown(),
    abort: () => current.controller.abort(),
  };
}

interface Listener {
  readonly server: Deno.HttpServer;
  readonly controller: AbortController;
}

function listen(
  { host, port, isShared, handler, log }: ListenOptions,
  onFailure: (error: unknown) => void,
): Listener {
  const controller = new AbortController();
  const server = Deno.serve({
    hostname: host,
    port,
    reusePort: isShared,
    signal: controller.signal,
    // It would weaken entity tags, and an environment variable could enable it.
    automaticCompression: false,
    onListen: () => {},
    onError: (error) => {
      log.event("error", `Sending a response failed: ${error}`);
      return new Response(null, { status: 500 });
    },
  }, handler);
  server.finished.catch(onFailure);
  return { server, controller };
}

function reportTaken<T>({ host, port, names }: ListenAddress, start: () => T): T {
  try {
    return start();
  } catch (error) {
    const [hostName, portName] = names;
    throw new ConfigError([`Cannot listen on ${hostName}=${host} ${portName}=${port}: ${error}`]);
  }
}

/** Throws if anybody listens: sharing a port is possible with every process of the same user. */
function assertFree({ host, port }: ListenAddress): void {
  Deno.listen({ hostname: host, port }).close();
}

async function settlesWithin(work: Promise<void>, time: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<false>((resolve) => timer = setTimeout(() => resolve(false), time));
  const isDone = await Promise.race([work.then(() => true), late]);
  clearTimeout(timer);
  return isDone;
}
