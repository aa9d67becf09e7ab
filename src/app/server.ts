/**
 * Listens, survives what stops a listener, and stops without breaking what is in flight.
 *
 * @module
 */
import type { App } from "./app.ts";
import type { Log } from "../shared/log.ts";

export interface ServerOptions {
  readonly host: string;
  readonly port: number;
  readonly app: App;
  readonly log: Log;
  /** Milliseconds that requests and downloads in flight have at a stop; default 25 s. */
  readonly grace?: number;
}

export interface Server {
  /** Lets requests in flight finish within the grace, stops listening and closes the app; once. */
  stop(): Promise<void>;
}

const GRACE = 25_000;
/**
 * Milliseconds for what Deno still holds of answers that were made: the ends of streams, and texts up
 * to a length that is not sent piece by piece.
 */
const CLOSING_TIME = 5_000;
const RESTART_DELAY = 500;

/** Starts to listen, and the work beside requests. */
export function startServer({ host, port, app, log, grace = GRACE }: ServerOptions): Server {
  let stopping: Promise<void> | undefined;
  let current = listen();
  app.indexing.start();
  app.checks.start();

  function listen(): Listener {
    const controller = new AbortController();
    const server = Deno.serve({
      hostname: host,
      port,
      signal: controller.signal,
      // It would weaken entity tags, and an environment variable could switch it on.
      automaticCompression: false,
      onListen: () => {},
      onError: (error) => {
        log.event("error", `Answer failed: ${error}`);
        return new Response(null, { status: 500 });
      },
    }, app.handler);
    server.finished.catch(restart);
    return { server, controller };
  }

  // Where the system has no more file descriptors the listener ends, and a new one may find none
  // either; the service must not end with them.
  function restart(error: unknown): void {
    if (stopping !== undefined) return;
    log.event("error", `Listener ended and is started again: ${error}`);
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
    // Deno's own shutdown breaks bodies that are being read, so our requests end before it. It
    // also cannot be followed by an abort, which alone cuts what does not end.
    const started = performance.now();
    const isIdle = await settlesWithin(app.drain(), grace);
    const left = started + grace - performance.now();
    if (isIdle) await settlesWithin(current.server.shutdown(), Math.min(CLOSING_TIME, left));
    else current.controller.abort();
    await app.close();
  }

  return { stop: () => stopping ??= stop() };
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
