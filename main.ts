import { boot } from "./src/boot.ts";
import { readConfig } from "./src/config.ts";
import { createLog } from "./src/observe.ts";
import { startServer } from "./src/server.ts";
import { welcome } from "./src/welcome.ts";

const encoder = new TextEncoder();

function writeAll(to: { writeSync(bytes: Uint8Array): number }, text: string): void {
  for (let bytes = encoder.encode(text); bytes.length > 0;) {
    bytes = bytes.subarray(to.writeSync(bytes));
  }
}

async function main(): Promise<void> {
  const config = readConfig((name) => Deno.env.get(name));
  const write = (text: string) => writeAll(Deno.stdout, text);
  const log = createLog({ level: config.logLevel, write, now: Date.now });
  const { app, publicUrl, reload } = await boot(config, log);
  const server = startServer({ ...config, app, log });
  writeAll(Deno.stderr, welcome(config, publicUrl));
  globalThis.addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    log.event("error", `Unhandled rejection: ${event.reason}`);
  });
  const stop = () => server.stop().then(() => Deno.exit(0), fail);
  for (const signal of ["SIGTERM", "SIGINT"] as const) Deno.addSignalListener(signal, stop);
  Deno.addSignalListener("SIGHUP", async () => {
    log.event("info", `SIGHUP: policy ${await reload()}`);
  });
}

function fail(error: unknown): never {
  writeAll(Deno.stderr, `${error instanceof Error ? error.message : error}\n`);
  Deno.exit(1);
}

await main().catch(fail);
