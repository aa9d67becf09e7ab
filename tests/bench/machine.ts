/**
 * The state of the machine during a benchmark.
 *
 * @module
 */

/** Returns how many processes wanted to run in the last 1, 5 and 15 minutes. */
export async function machineLoad(): Promise<string> {
  return (await readProc("loadavg")).split(" ").slice(0, 3).join(" ");
}

/** Bytes of a page of memory, and of the memory that is taken to measure one. */
const PAGE = 4_096;
const FRESH = 64 * 2 ** 20;

/**
 * Returns how many milliseconds the system takes to give a process a megabyte of memory, whose pages it
 * provides when they are first written. One virtual machine took 12 to 16 microseconds for each page.
 */
export function freshMemoryTime(): number {
  const memory = new Uint8Array(FRESH);
  const start = performance.now();
  for (let at = 0; at < FRESH; at += PAGE) memory[at] = 1;
  return (performance.now() - start) * 1e6 / FRESH;
}

export interface Memory {
  /** Megabytes in memory, with those that other processes share, such as Deno's program. */
  readonly resident: number;
  /** Megabytes of its own, and its share of the others. */
  readonly share: number;
}

/** Returns the memory of a process. */
export async function memoryOf(pid: number): Promise<Memory> {
  const text = await readProc(`${pid}/smaps_rollup`);
  const of = (name: string) =>
    Math.round(Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(text)?.[1]) * 1_024 / 1e6);
  return { resident: of("Rss"), share: of("Pss") };
}

/** Runs `cat`, because Deno reads nothing in `/proc` without all permissions. */
async function readProc(path: string): Promise<string> {
  const { stdout } = await new Deno.Command("cat", { args: [`/proc/${path}`] }).output();
  return new TextDecoder().decode(stdout);
}
