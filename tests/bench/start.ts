/**
 * Measures the time from the command to the first response, on an existing data folder and with the
 * default settings, beside a bare `Deno.serve` in turns; and the memory that both take when idle.
 *
 * @module
 */
import { median, report } from "./measure.ts";
import { rectoArgs, startProcess } from "./processes.ts";
import { residentMemory } from "./resident_memory.ts";
import { freePort } from "../support/ports.ts";

const ROUNDS = 7;
/** Milliseconds in which what a start leaves to be done is over. */
const SETTLING = 2_000;
const TIME = 250;
const MEMORY = 90;

interface Started {
  /** Milliseconds to the first response. */
  readonly time: number;
  /** Megabytes of the idle process. */
  readonly memory: number;
}

export async function benchStart(print: (line: string) => void): Promise<void> {
  const dataDir = await Deno.makeTempDir({ prefix: "recto-bench-" });
  const ours: Started[] = [];
  const bare: Started[] = [];
  try {
    await measureRecto(dataDir);
    for (let round = 0; round < ROUNDS; round++) {
      ours.push(await measureRecto(dataDir));
      bare.push(await measureBare());
    }
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
  const [mine, least] = [ours, bare].map((all) => ({
    time: median(all.map(({ time }) => time)),
    memory: median(all.map(({ memory }) => memory)),
  }));
  if (mine === undefined || least === undefined) throw new Error("Nothing was measured");
  print(report("start to first answer", {
    ...{ value: mine.time, unit: "ms", aim: `<= ${TIME} ms`, met: mine.time <= TIME },
  }));
  print(report("memory when idle", {
    ...{ value: mine.memory, unit: "MB", aim: `<= ${MEMORY} MB`, met: mine.memory <= MEMORY },
  }));
  print(`     bare Deno.serve ${least.time.toFixed(0)} ms, ${least.memory.toFixed(0)} MB`);
}

function measureRecto(dataDir: string): Promise<Started> {
  return measure(rectoArgs(dataDir), (port) => ({ PORT: String(port), RECTO_DATA_DIR: dataDir }));
}

function measureBare(): Promise<Started> {
  const args = ["run", "--no-prompt", "--allow-net=127.0.0.1", "tests/bench/bare.ts"];
  return measure(args, () => ({}), (port) => [String(port)]);
}

async function measure(
  args: readonly string[],
  envOf: (port: number) => Record<string, string>,
  moreArgs: (port: number) => readonly string[] = () => [],
): Promise<Started> {
  const port = freePort();
  const began = performance.now();
  await using server = await startProcess([...args, ...moreArgs(port)], { port, env: envOf(port) });
  const time = performance.now() - began;
  await new Promise((resolve) => setTimeout(resolve, SETTLING));
  return { time, memory: await residentMemory(server.pid) };
}
