/**
 * Reads files of any size line by line.
 *
 * @module
 */
import { EnvironmentError, EXIT, STANDARD_INPUT, UsageError } from "../command.ts";

/**
 * Yields the lines of a file, or of standard input for `-`, without line breaks. The last line may be
 * incomplete. Rejects with `UsageError` if the file does not exist or must not be read, and with
 * `EnvironmentError` if reading fails.
 */
export async function* readLines(path: string): AsyncGenerator<string> {
  const stream = path === STANDARD_INPUT ? Deno.stdin.readable : (await open(path)).readable;
  let rest = "";
  for await (const chunk of readChunks(path, stream)) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}

/** A folder can be opened and not be read. */
async function* readChunks(
  path: string,
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<string> {
  try {
    yield* stream.pipeThrough(new TextDecoderStream());
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): EnvironmentError {
  const reason = error instanceof Error ? error.message : String(error);
  return new EnvironmentError(`Cannot read ${path}: ${reason}`, EXIT.noInput);
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
    throw unreadable(path, error);
  }
}
