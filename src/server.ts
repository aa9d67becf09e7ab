/**
 * Listens, survives what stops a listener, and stops without breaking what is in flight.
 *
 * @module
 */
import type { App } from "./app.ts";
import type { Log } from "./observe.ts";

export interface ServerOptions {
  readonly host: string;
  readonly port: number;
  readonly app: App;
  readonly log: Log;
  /** Milliseconds that requests in flight have at a stop; default 25 s. */
  readonly grace?: number;
}

export interface Server {
  /** Stops accepting, lets requests in flight finish within the grace, and closes the app. */
  stop(): Promise<void>;
}

const GRACE = 25_000;
const RESTART_DELAY = 500;

/** Starts to listen. */
export function startServer({ host, port, app, log, grace = GRACE }: ServerOptions): Server {
  const controller = new AbortController();
  let stopping = false;
  let current = listen();

  function listen(): Deno.HttpServer {
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
    return server;
  }

  // Where the system has no more file descriptors the listener ends; the service must not.
  function restart(error: unknown): void {
    if (stopping) return;
    log.event("error", `Listener ended and is started again: ${error}`);
    setTimeout(() => {
      if (!stopping) current = listen();
    }, RESTART_DELAY);
  }

  return {
    stop: async () => {
      stopping = true;
      // Deno's own shutdown breaks bodies that are being read, so our requests end before it.
      await withinGrace(app.drain(), grace);
      await withinGrace(current.shutdown(), RESTART_DELAY);
      controller.abort();
      await app.close();
    },
  };
}

async function withinGrace(work: Promise<void>, grace: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => timer = setTimeout(resolve, grace));
  await Promise.race([work, late]);
  clearTimeout(timer);
}
