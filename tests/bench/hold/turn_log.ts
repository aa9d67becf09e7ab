/**
 * Loaded into the service before its own code: logs for how many milliseconds its main thread was busy
 * in each turn of the event loop.
 *
 * @module
 */
import { TURN_LOG } from "./turns.ts";

/** Milliseconds between two looks; shorter turns count together. */
const INTERVAL = 1;

const log = Deno.openSync(Deno.env.get(TURN_LOG) ?? "", { append: true, create: true });
const encoder = new TextEncoder();

/** Timers run once in a turn, so this is called at the end of every turn that is longer than they. */
function look(since: number): void {
  log.writeSync(encoder.encode(`${(busyTime() - since).toFixed(1)}\n`));
  const now = busyTime();
  Deno.unrefTimer(setTimeout(() => look(now), INTERVAL));
}

/** Milliseconds of processor time of the main thread, however many others share its processor. */
function busyTime(): number {
  return parseInt(Deno.readTextFileSync("/proc/self/schedstat")) / 1e6;
}

look(busyTime());
