/**
 * The check before a Worker starts. Deno ends the whole process if a Worker starts that can open no
 * files, and clients decide how many connections are open.
 *
 * @module
 */
import { AppError } from "./errors.ts";

/** More files than a Worker opens while it starts. */
const FILES = 16;

/** The process may read its own sources. */
const OWN_FILE = new URL(import.meta.url);

/**
 * Throws `service_unavailable` if the process cannot open the files of one more Worker. Start it in
 * the same turn of the event loop, because new connections are accepted between turns.
 */
export function assertMayStartWorker(): void {
  if (mayStartWorker()) return;
  throw new AppError("service_unavailable", "Too many connections are open: try again", {
    headers: { "retry-after": "5" },
    reason: "The process can open no more files: raise its limit (ulimit -n)",
  });
}

/** Returns whether the process can open the files of one more Worker. */
export function mayStartWorker(): boolean {
  const files: Deno.FsFile[] = [];
  try {
    while (files.length < FILES) files.push(Deno.openSync(OWN_FILE));
    return true;
  } catch (error) {
    return !isOutOfFiles(error);
  } finally {
    for (const file of files) file.close();
  }
}

/** Any other reason says nothing about Workers. */
function isOutOfFiles(error: unknown): boolean {
  return error instanceof Error && "code" in error &&
    (error.code === "EMFILE" || error.code === "ENFILE");
}
