/**
 * Measures the time from the command to the first response, on an existing data folder and with the
 * default settings, beside a bare `Deno.serve` in turns; and the memory that both take when idle.
 *
 * @module
 */
import { machineLoad, type Memory, memoryOf } from "./machine.ts";
import { median, report } from "./measure.ts";
import { rectoArgs, startProcess } from "./processes.ts";
import { freePort } from "../support/ports.ts";

const ROUNDS = 7;
/**
 * Milliseconds until the first check of storage is over, and what it needed is given back. The first
 * round of housekeeping begins ten seconds later, and needs more again for as long.
 */
const SETTLING = 50_000;
const TIME = 250;
const MEMORY = 90;

export async function benchStart(print: (line: string) => void): Promise<void> {
  const dataDir = await Deno.makeTempDir({ prefix: "recto-bench-" });
  try {
    print(`load of the machine: ${await machineLoad()}`);
    const recto = () => startOurs(dataDir);
    await timeOf(recto);
    const [ours, bare] = await inTurns([recto, startBare]);
    print(report("start to first answer", {
      value: ours,
      unit: "ms",
      aim: `<= ${TIME} ms`,
      met: ours <= TIME,
    }));
    print(`     bare Deno.serve ${bare.toFixed(0)} ms`);
    const [memory, least] = await Promise.all([idleMemory(recto), idleMemory(startBare)]);
    print(report("memory when idle", {
      value: memory.resident,
      unit: "MB",
      aim: `<= ${MEMORY} MB`,
      met: memory.resident <= MEMORY,
    }));
    print(`     bare Deno.serve ${least.resident} MB`);
    print(`     shared pages divided: ${memory.share} MB, bare Deno.serve ${least.share} MB`);
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
}

type Start = () => ReturnType<typeof startProcess>;

/** Returns the median milliseconds of each. */
async function inTurns([ours, bare]: readonly [Start, Start]): Promise<[number, number]> {
  const times = { ours: [] as number[], bare: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    times.ours.push(await timeOf(ours));
    times.bare.push(await timeOf(bare));
  }
  return [median(times.ours), median(times.bare)];
}

function startOurs(dataDir: string): ReturnType<Start> {
  const port = freePort();
  const env = { PORT: String(port), RECTO_DATA_DIR: dataDir };
  return startProcess(rectoArgs(dataDir), { port, env });
}

function startBare(): ReturnType<Start> {
  const port = freePort();
  const args = ["run", "--no-prompt", "--allow-net=127.0.0.1", "tests/bench/bare.ts"];
  return startProcess([...args, String(port)], { port });
}

async function timeOf(start: Start): Promise<number> {
  const began = performance.now();
  await using _server = await start();
  return performance.now() - began;
}

async function idleMemory(start: Start): Promise<Memory> {
  await using server = await start();
  await new Promise((resolve) => setTimeout(resolve, SETTLING));
  return await memoryOf(server.pid);
}
