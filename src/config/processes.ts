/**
 * The number of processes that serve together.
 *
 * @module
 */
import type { Settings } from "./variables.ts";

/** Argument of `main.ts` if it is one of several processes. */
export const MEMBER = "--member";

/**
 * Options of Deno's own for every process. V8 lets half of what is in use gather as garbage, in place
 * of up to three times that: the more it collects at once, the longer requests wait. It collects the
 * garbage of past work after one second in place of eight, and frees the memory of a Worker that ends;
 * otherwise it leaves that to another thread, which may end before it does so. Commands that do not
 * serve have them too, because V8 compiles a module again if they differ from those of the process
 * before.
 */
export const DENO_FLAGS = [
  "--v8-flags=--heap-growing-percent=50,--memory-reducer-delay-ms=1000,--no-memory-pool-share-memory-on-teardown",
] as const;

/**
 * Further options for one of several processes: to share the port, and to let half as many new objects
 * gather as V8 would before it collects them, because each process gathers its own.
 */
export const MEMBER_FLAGS = [
  "--unstable-net",
  "--v8-flags=--max-semi-space-size=8",
] as const;

/**
 * Variables of every process that serves, unless they are set. The allocator of glibc keeps free memory
 * apart in up to eight arenas for each core, which gives back less of it than two do.
 */
export const ALLOCATION = { MALLOC_ARENA_MAX: "2" } as const;

/** Returns the number of processes; `auto` stands for one for each core that this process may use. */
export function processesOf(
  { RECTO_PROCESSES: setting = 1 }: Pick<Settings, "RECTO_PROCESSES">,
): number {
  return setting === "auto" ? navigator.hardwareConcurrency : setting;
}
