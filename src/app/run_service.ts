/**
 * Runs a service until a signal ends it.
 *
 * @module
 */
import { writeAll } from "../shared/write_all.ts";
import type { Service, Streams } from "./start.ts";

export interface RunOptions {
  /** `stop` ends the process after requests in flight. */
  readonly start: (streams: Streams, stop: () => void) => Promise<Service>;
  /** True if the parent of several processes tells this one when to stop and to reload. */
  readonly isMember?: boolean;
}

/** Milliseconds for the last message to standard error, before the process exits anyway. */
const LAST_MESSAGE_TIME = 1_000;

const encoder = new TextEncoder();

/** Starts a service. SIGTERM and SIGINT end it, SIGHUP reloads its policies. */
export function runService({ start, isMember = false }: RunOptions): void {
  let service: Service | undefined;
  let isStopping = false;
  // Nothing to drain before start-up completes; an open transaction rolls back.
  const stop = (): void => {
    if (service === undefined) Deno.exit(0);
    // A terminal signals the whole group of processes, and the launcher passes its signal on.
    if (isStopping) return;
    isStopping = true;
    service.stop().then(() => Deno.exit(0), fail);
  };
  // Before anything else, because an unhandled signal ends the process.
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    Deno.addSignalListener(signal, () => isMember || stop());
  }
  const streams: Streams = {
    stdout: (text) => writeAll(Deno.stdout, encoder.encode(text)),
    stderr: (text) => writeAll(Deno.stderr, encoder.encode(text)),
  };
  const started = start(streams, stop).then((running) => service = running).catch(fail);
  Deno.addSignalListener("SIGHUP", () => isMember || started.then(({ reload }) => reload()));
}

function fail(error: unknown): Promise<never> {
  const exit = (): never => Deno.exit(1);
  setTimeout(exit, LAST_MESSAGE_TIME);
  const message = `${error instanceof Error ? error.message : error}\n`;
  return writeAll(Deno.stderr, encoder.encode(message))
    .then(exit, exit);
}
