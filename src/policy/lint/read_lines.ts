/**
 * Reads files of any size line by line.
 *
 * @module
 */
import { STANDARD_INPUT, UsageError } from "../command.ts";

/**
 * Yields the lines of a file, or of standard input for `-`, without line breaks. The last line may be
 * incomplete. Rejects with `UsageError` if the file does not exist or must not be read.
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
        `No permission to read ${path}: pass - as the file and add < ${path}`,
      );
    }
    throw error;
  }
}
