/**
 * The `Io` of a real machine: files below the current folder, git, a terminal.
 *
 * @module
 */
import { type Io, STANDARD_INPUT, UsageError } from "./command.ts";
import { listFiles } from "./lint/list_files.ts";

const encoder = new TextEncoder();

/** Paths are relative to `root`, which ends with a slash; the default is the current folder. */
export function createIo(root = ""): Io {
  return {
    out: (text) => writeAll(Deno.stdout, text),
    err: (text) => writeAll(Deno.stderr, text),
    read: (path) => explained(path, () => readText(root, path)),
    list: async (folder, ending) =>
      (await listFiles(root + folder, ending)).map((path) => path.slice(root.length)),
    write: (path, text) => explained(path, () => Deno.writeTextFile(root + path, text)),
    git: (args) => runGit(args, root),
    color: Deno.stdout.isTerminal() && !Deno.noColor,
  };
}

function writeAll(to: { writeSync(bytes: Uint8Array): number }, text: string): void {
  let rest = encoder.encode(text);
  while (rest.length > 0) rest = rest.subarray(to.writeSync(rest));
}

function readText(root: string, path: string): Promise<string> {
  if (path === STANDARD_INPUT) return new Response(Deno.stdin.readable).text();
  return Deno.readTextFile(root + path);
}

async function explained<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) throw new UsageError(`No such file: ${path}`);
    if (error instanceof Deno.errors.NotCapable) {
      throw new UsageError(`No permission for ${path}: it must be below policy/ or spec/`);
    }
    throw error;
  }
}

async function runGit(args: readonly string[], root: string): Promise<string> {
  const command = new Deno.Command("git", {
    args: [...args],
    ...(root === "" ? {} : { cwd: root }),
    stdout: "piped",
    stderr: "piped",
  });
  const { success, stdout, stderr } = await command.output();
  if (success) return new TextDecoder().decode(stdout);
  const reason = new TextDecoder().decode(stderr).trim().split("\n")[0] ?? "";
  throw new UsageError(`git ${args[0]} failed: ${reason}`);
}
