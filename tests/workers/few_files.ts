/**
 * Starts Workers while the process can open only some more files, and prints what became of each.
 *
 * @module
 */
import { AppError } from "../../src/shared/errors.ts";
import { compressInWorker } from "../../src/workers/compressor.ts";

const { signal } = new AbortController();
const encoder = new TextEncoder();

for (const left of Deno.args.map(Number)) {
  const files = openAll();
  for (const file of files.splice(0, left)) file.close();
  Deno.stdout.writeSync(encoder.encode(`${left} ${await outcome()}\n`));
  for (const file of files) file.close();
}

/** Opens files until no more can be. */
function openAll(): Deno.FsFile[] {
  const files: Deno.FsFile[] = [];
  try {
    while (true) files.push(Deno.openSync(new URL(import.meta.url)));
  } catch {
    return files;
  }
}

async function outcome(): Promise<string> {
  try {
    const [encodings] = await compressInWorker(["text"], signal);
    return encodings === undefined ? "nothing" : "compressed";
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
}
