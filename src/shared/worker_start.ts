/**
 * The check before a Worker starts. Deno ends the whole process if a Worker starts that can open no
 * files, and clients decide how many connections are open.
 *
 * @module
 */
import { AppError } from "./errors.ts";

/** More files than a Worker opens while it starts. */
const FILES = 16;

/**
 * Throws `service_unavailable` if the process cannot open the files of one more Worker of a module.
 * Start it in the same turn of the event loop, because new connections are accepted between turns.
 */
export function assertMayStartWorker(module: string): void {
  if (mayStartWorker(module)) return;
  throw new AppError("service_unavailable", "Too many connections are open: try again", {
    headers: { "retry-after": "5" },
    reason: "The process can open no more files: raise its limit (ulimit -n)",
  });
}

/** Returns whether the process can open the files of one more Worker of a module, which it may read. */
export function mayStartWorker(module: string): boolean {
  const file = new URL(module);
  const files: Deno.FsFile[] = [];
  try {
    while (files.length < FILES) files.push(Deno.openSync(file));
    return true;
  } catch (error) {
    return !isOutOfFiles(error);
  } finally {
    for (const opened of files) opened.close();
  }
}

/** Any other reason says nothing about Workers. */
function isOutOfFiles(error: unknown): boolean {
  return error instanceof Error && "code" in error &&
    (error.code === "EMFILE" || error.code === "ENFILE");
}
