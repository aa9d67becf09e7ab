import { type Service, start } from "./src/start.ts";

const encoder = new TextEncoder();
let service: Service | undefined;

function writeAll(to: { writeSync(bytes: Uint8Array): number }, text: string): void {
  for (let bytes = encoder.encode(text); bytes.length > 0;) {
    bytes = bytes.subarray(to.writeSync(bytes));
  }
}

async function main(): Promise<Service> {
  return service = await start((name) => Deno.env.get(name), {
    log: (text) => writeAll(Deno.stdout, text),
    person: (text) => writeAll(Deno.stderr, text),
  });
}

/** Before the service is up nobody is served, and a database undoes what stands half done. */
function stop(): void {
  if (service === undefined) Deno.exit(0);
  service.stop().then(() => Deno.exit(0), fail);
}

function fail(error: unknown): never {
  writeAll(Deno.stderr, `${error instanceof Error ? error.message : error}\n`);
  Deno.exit(1);
}

// Before anything else, because a signal that nobody listens to ends the process.
for (const signal of ["SIGTERM", "SIGINT"] as const) Deno.addSignalListener(signal, stop);
const started = main().catch(fail);
Deno.addSignalListener("SIGHUP", () => started.then(({ reload }) => reload()));
