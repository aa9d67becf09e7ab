/**
 * Reads how long the turns of a service's event loop were.
 *
 * @module
 */
/** The environment variable that names the file to which a service logs its turns. */
export const TURN_LOG = "TURN_LOG";
/** Flags of `deno run` with which a service logs its turns. Only with all permissions may it look. */
export const LOGGING = ["--allow-all", "--preload=tests/bench/hold/turn_log.ts"];
/** Milliseconds until the last turn is logged, which the next one does. */
const PATIENCE = 50;

/** Milliseconds of the longest turn since the last call. */
export async function takeLongestTurn(log: string): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, PATIENCE));
  const turns = (await Deno.readTextFile(log)).split("\n").map(Number);
  await Deno.truncate(log);
  return turns.reduce((a, b) => Math.max(a, b), 0);
}
