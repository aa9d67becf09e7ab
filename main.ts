import { type Service, start } from "./src/app/start.ts";
import { MEMBER } from "./src/config/processes.ts";
import type { ProcessGroup } from "./src/processes/group.ts";

/** Milliseconds for the last message to standard error, before the process exits anyway. */
const LAST_MESSAGE_TIME = 1_000;

const encoder = new TextEncoder();
let service: Service | undefined;

/** Writes asynchronously: a pipe without a reader would block the whole process. */
async function writeAll(
  to: { write(bytes: Uint8Array): Promise<number> },
  text: string,
): Promise<void> {
  for (let bytes = encoder.encode(text); bytes.length > 0;) {
    bytes = bytes.subarray(await to.write(bytes));
  }
}

async function main(): Promise<Service> {
  const streams = {
    stdout: (text: string) => writeAll(Deno.stdout, text),
    stderr: (text: string) => writeAll(Deno.stderr, text),
  };
  return service = await start(
    (name) => Deno.env.get(name),
    streams,
    isMember ? joinOthers : undefined,
  );
}

/** Joins the processes that serve together with this one. */
async function joinOthers(socketPath: string): Promise<ProcessGroup> {
  const { joinGroup } = await import("./src/processes/group.ts");
  const group = await joinGroup(socketPath);
  group.onStop(stop);
  return group;
}

/** Nothing to drain before start-up completes; an open transaction rolls back. */
function stop(): void {
  if (service === undefined) Deno.exit(0);
  service.stop().then(() => Deno.exit(0), fail);
}

function fail(error: unknown): Promise<never> {
  const exit = (): never => Deno.exit(1);
  setTimeout(exit, LAST_MESSAGE_TIME);
  return writeAll(Deno.stderr, `${error instanceof Error ? error.message : error}\n`)
    .then(exit, exit);
}

/** The parent of several processes tells them when to stop and to reload. */
const isMember = Deno.args[0] === MEMBER;

// Before anything else, because an unhandled signal ends the process.
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  Deno.addSignalListener(signal, () => isMember || stop());
}
const started = main().catch(fail);
Deno.addSignalListener("SIGHUP", () => isMember || started.then(({ reload }) => reload()));
