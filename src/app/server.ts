/**
 * The HTTP server: listens, restarts a failed listener, and stops gracefully.
 *
 * @module
 */
import type { App } from "./app.ts";
import type { ProcessGroup } from "../processes/group.ts";
import type { Log } from "../shared/log.ts";

export interface ServerOptions {
  readonly host: string;
  readonly port: number;
  readonly app: App;
  readonly log: Log;
  /** The other processes that listen on this port; undefined if there are none. */
  readonly group?: ProcessGroup;
  /** Milliseconds for requests and downloads in flight to finish at a stop; default 25 s. */
  readonly grace?: number;
  /**
   * Milliseconds without a request after which a stop closes connections; default 0. Clients that send
   * requests meanwhile close theirs.
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

/** Starts listening and the background work. */
export function startServer(options: ServerOptions): Server {
  const { host, port, app, log, group, grace = GRACE, quiet = 0 } = options;
  let stopping: Promise<void> | undefined;
  if (group?.isFirst && group.isPrimary) assertFree({ host, port });
  let current = listen();
  app.indexing.start();
  app.checks.start();

  function listen(): Listener {
    const controller = new AbortController();
    const server = Deno.serve({
      hostname: host,
      port,
      reusePort: group !== undefined,
      signal: controller.signal,
      // It would weaken entity tags, and an environment variable could enable it.
      automaticCompression: false,
      onListen: () => {},
      onError: (error) => {
        log.event("error", `Sending a response failed: ${error}`);
        return new Response(null, { status: 500 });
      },
    }, app.handler);
    server.finished.catch(restart);
    return { server, controller };
  }

  // If the system runs out of file descriptors, the listener fails, and a new one may fail too. The
  // service must survive that.
  function restart(error: unknown): void {
    if (stopping !== undefined) return;
    log.event("error", `Listener failed, restarting it: ${error}`);
    setTimeout(() => {
      if (stopping !== undefined) return;
      try {
        current = listen();
      } catch (failure) {
        restart(failure);
      }
    }, RESTART_DELAY);
  }

  async function stop(): Promise<void> {
    // Deno's shutdown breaks request bodies that are being read, so requests must finish first. It
    // cannot be followed by an abort, which is the only way to cut requests that do not finish.
    const started = performance.now();
    const isIdle = await settlesWithin(app.drain(quiet), grace);
    const left = started + grace - performance.now();
    if (isIdle) await settlesWithin(current.server.shutdown(), Math.min(CLOSING_TIME, left));
    else current.controller.abort();
    await group?.finish();
    await app.close();
  }

  return { stop: () => stopping ??= stop() };
}

/** Throws if anybody listens: sharing a port is possible with every process of the same user. */
function assertFree({ host, port }: Pick<ServerOptions, "host" | "port">): void {
  Deno.listen({ hostname: host, port }).close();
}

interface Listener {
  readonly server: Deno.HttpServer;
  readonly controller: AbortController;
}

async function settlesWithin(work: Promise<void>, time: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<false>((resolve) => timer = setTimeout(() => resolve(false), time));
  const isDone = await Promise.race([work.then(() => true), late]);
  clearTimeout(timer);
  return isDone;
}
