/**
 * The number of processes that serve together.
 *
 * @module
 */
import type { Settings } from "./variables.ts";

/** Argument of `main.ts` if it is one of several processes. */
export const MEMBER = "--member";

/**
 * Options of Deno's own for every process. V8 keeps the memory of Workers that have ended for the
 * next ones, for eight seconds by default, and lets old garbage grow to three times what is in use.
 * Commands that do not serve have these options too, because V8 compiles a module again if they
 * differ from those of the process before.
 */
export const DENO_FLAGS = [
  "--v8-flags=--memory-pool-timeout=1,--heap-growing-percent=50",
] as const;

/**
 * Further options for one of several processes: to share the port, and to let half as much new
 * garbage gather as V8 would before it collects it, because each process gathers its own.
 */
export const MEMBER_FLAGS = ["--unstable-net", "--v8-flags=--max-semi-space-size=8"] as const;

/** Returns the number of processes; `auto` stands for one for each core that this process may use. */
export function processesOf(
  { RECTO_PROCESSES: setting = 1 }: Pick<Settings, "RECTO_PROCESSES">,
): number {
  return setting === "auto" ? navigator.hardwareConcurrency : setting;
}
