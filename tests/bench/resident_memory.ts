/**
 * Reads the memory of a process. Uses `ps`, because Deno requires all permissions to read it itself.
 *
 * @module
 */

/** Returns the megabytes of a process that are in memory. */
export async function residentMemory(pid: number): Promise<number> {
  const { stdout } = await new Deno.Command("ps", { args: ["-o", "rss=", "-p", String(pid)] })
    .output();
  return Number(new TextDecoder().decode(stdout)) * 1_024 / 1e6;
}
