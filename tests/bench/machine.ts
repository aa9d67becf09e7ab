/**
 * The state of the machine during a benchmark.
 *
 * @module
 */

/** Returns how many processes wanted to run in the last 1, 5 and 15 minutes. */
export async function machineLoad(): Promise<string> {
  return (await readProc("loadavg")).split(" ").slice(0, 3).join(" ");
}

/** Returns the resident memory of each process, and what all of them take together, in MB. */
export async function memoryOf(
  pids: readonly number[],
): Promise<{ readonly each: readonly number[]; readonly all: number }> {
  const sizes = await Promise.all(pids.map(async (pid) => {
    const text = await readProc(`${pid}/smaps_rollup`);
    const of = (name: string) =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(text)?.[1]) / 1_024;
    return { resident: of("Rss"), share: of("Pss") };
  }));
  return {
    each: sizes.map(({ resident }) => Math.round(resident)),
    all: Math.round(sizes.reduce((sum, { share }) => sum + share, 0)),
  };
}

/** Runs `cat`, because Deno reads nothing in `/proc` without all permissions. */
async function readProc(path: string): Promise<string> {
  const { stdout } = await new Deno.Command("cat", { args: [`/proc/${path}`] }).output();
  return new TextDecoder().decode(stdout);
}
