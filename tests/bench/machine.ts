/**
 * The state of the machine during a benchmark.
 *
 * @module
 */

/** Returns how many processes wanted to run in the last 1, 5 and 15 minutes. */
export async function machineLoad(): Promise<string> {
  return (await readProc("loadavg")).split(" ").slice(0, 3).join(" ");
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
