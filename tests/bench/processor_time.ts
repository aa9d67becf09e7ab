/**
 * Reads the processor time of a process.
 *
 * @module
 */

/** Microseconds per tick: Linux counts a hundred ticks a second. */
const TICK = 10_000;

/**
 * Returns the microseconds that a process and its children ran. Reads them with `cat`, because Deno
 * requires all permissions to read them itself.
 */
export async function processorTime(pid: number): Promise<number> {
  const children = await cat(`/proc/${pid}/task/${pid}/children`);
  const pids = [pid, ...children.trim().split(" ").filter((child) => child !== "")];
  const all = await Promise.all(pids.map((one) => cat(`/proc/${one}/stat`)));
  const ticks = all.flatMap((stat) => stat.slice(stat.lastIndexOf(")")).split(" ").slice(12, 14));
  return ticks.reduce((sum, one) => sum + Number(one), 0) * TICK;
}

async function cat(file: string): Promise<string> {
  const { stdout } = await new Deno.Command("cat", { args: [file] }).output();
  return new TextDecoder().decode(stdout);
}
