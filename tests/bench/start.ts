/**
 * Measures the time from the command to the first response, on an existing data folder.
 *
 * @module
 */
import { median, report } from "./measure.ts";
import { rectoArgs, rectoEnv, startProcess } from "./processes.ts";
import { freePort } from "../support/ports.ts";

const ROUNDS = 7;

export async function benchStart(print: (line: string) => void): Promise<void> {
  const dataDir = await Deno.makeTempDir({ prefix: "recto-bench-" });
  const times: number[] = [];
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const port = freePort();
      const start = performance.now();
      await using _server = await startProcess(rectoArgs(dataDir), {
        port,
        env: rectoEnv(port, dataDir),
      });
      times.push(performance.now() - start);
    }
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
  const value = median(times);
  print(report("start to first answer", { value, unit: "ms", aim: "< 400 ms", met: value < 400 }));
}
