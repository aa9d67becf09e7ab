/**
 * The number of processes that serve together.
 *
 * @module
 */
import type { Settings } from "./variables.ts";

/** Argument of `main.ts` if it is one of several processes. */
export const MEMBER = "--member";

/** Returns the number of processes; `auto` stands for one for each core that this process may use. */
export function processesOf(
  { RECTO_PROCESSES: setting = 1 }: Pick<Settings, "RECTO_PROCESSES">,
): number {
  return setting === "auto" ? navigator.hardwareConcurrency : setting;
}
