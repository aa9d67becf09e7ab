/**
 * Measures the time from the command to the first response, on an existing data folder and with the
 * default settings, of what is built, of the source and of a bare `Deno.serve` in turns; and the
 * memory that all take when idle.
 *
 * @module
 */
import { machineLoad, type Memory, memoryOf } from "./machine.ts";
import { median, report } from "./measure.ts";
import { rectoArgs, startProcess } from "./processes.ts";
import { ALLOCATION } from "../../src/config/processes.ts";
import { installBuilt } from "../support/installation.ts";
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
  const folder = await Deno.makeTempDir({ prefix: "recto-bench-" });
  try {
    print(`load of the machine: ${await machineLoad()}`);
    const { folder: cwd, main } = await installBuilt(`${folder}/recto`);
    const data = { built: `${folder}/built`, source: `${folder}/source` };
    const starts = {
      built: () => startOurs({ dataDir: data.built, main, cwd }),
      source: () => startOurs({ dataDir: data.source, main: "main.ts" }),
      bare: startBare,
    };
    // The first start creates the database, the second one leaves compiled code.
    for (const start of [starts.built, starts.source]) for (const _ of "12") await timeOf(start);
    const times = await inTurns(starts);
    print(report("start to first answer, built", {
      value: times.built,
      unit: "ms",
      aim: `<= ${TIME} ms`,
      met: times.built <= TIME,
    }));
    print(`     source ${times.source.toFixed(0)} ms, bare Deno.serve ${times.bare.toFixed(0)} ms`);
    const [built, source, bare] = await Promise.all(
      [starts.built, starts.source, starts.bare].map(idleMemory),
    ) as [Memory, Memory, Memory];
    print(report("memory when idle, built", {
      value: built.resident,
      unit: "MB",
      aim: `<= ${MEMORY} MB`,
      met: built.resident <= MEMORY,
    }));
    print(`     source ${source.resident} MB, bare Deno.serve ${bare.resident} MB`);
    const shares = [built, source, bare].map(({ share }) => share);
    print(`     shared pages divided: ${shares.join(", ")} MB`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

type Start = () => ReturnType<typeof startProcess>;

type Starts = Readonly<Record<"built" | "source" | "bare", Start>>;

/** Returns the median milliseconds of each. */
async function inTurns(starts: Starts): Promise<Record<keyof Starts, number>> {
  const times = { built: [] as number[], source: [] as number[], bare: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    times.built.push(await timeOf(starts.built));
    times.source.push(await timeOf(starts.source));
    times.bare.push(await timeOf(starts.bare));
  }
  return { built: median(times.built), source: median(times.source), bare: median(times.bare) };
}

interface OwnStart {
  readonly dataDir: string;
  readonly main: string;
  readonly cwd?: string;
}

function startOurs({ dataDir, main, cwd }: OwnStart): ReturnType<Start> {
  const port = freePort();
  const env = { ...ALLOCATION, PORT: String(port), RECTO_DATA_DIR: dataDir };
  return startProcess(rectoArgs(dataDir, main), { port, env, ...(cwd !== undefined && { cwd }) });
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
