/**
 * The service for `deno serve` and for platforms that listen by themselves:
 * `deno serve --port 8000 … serve.ts`.
 *
 * @module
 */
import { startHosted } from "./src/app/start.ts";

async function writeAll(text: string): Promise<void> {
  const encoder = new TextEncoder();
  for (let bytes = encoder.encode(text); bytes.length > 0;) {
    bytes = bytes.subarray(await Deno.stdout.write(bytes));
  }
}

const { fetch, stop } = await startHosted((name) => Deno.env.get(name), { stdout: writeAll });

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  Deno.addSignalListener(signal, () => stop().finally(() => Deno.exit(0)));
}

export default { fetch } satisfies Deno.ServeDefaultExport;
