/**
 * The priority of threads.
 *
 * @module
 */
import { setPriority } from "node:os";

/**
 * Lowers the priority of this thread to a nice value (setpriority(2)), if the process may do so.
 * Elsewhere than on Linux it would be the priority of the whole process, so it stays.
 */
export function lowerPriority(nice: number): void {
  if (Deno.build.os !== "linux") return;
  const { state } = Deno.permissions.querySync({ name: "sys", kind: "setPriority" });
  if (state === "granted") setPriority(0, nice);
}
