/**
 * The lines of a file of any size, one by one.
 *
 * @module
 */
import { STANDARD_INPUT, UsageError } from "../command.ts";

/**
 * Reads a file, or standard input for `-`; lines come without their ends, and the last one may be cut.
 * Rejects with `UsageError` where there is no such file, or we may not read it.
 */
export async function* readLines(path: string): AsyncGenerator<string> {
  const stream = path === STANDARD_INPUT ? Deno.stdin.readable : (await open(path)).readable;
  let rest = "";
  for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}

async function open(path: string): Promise<Deno.FsFile> {
  try {
    return await Deno.open(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) throw new UsageError(`No such file: ${path}`);
    if (error instanceof Deno.errors.NotCapable) {
      throw new UsageError(
        `The policy's tools may not read ${path}: write - in its place and add < ${path}`,
      );
    }
    throw error;
  }
}
