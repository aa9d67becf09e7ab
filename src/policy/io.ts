/**
 * The `Io` of a real machine: files below the current folder, git, a terminal.
 *
 * @module
 */
import { EnvironmentError, EXIT, type Io, STANDARD_INPUT, UsageError } from "./command.ts";
import { FileError } from "./issue.ts";
import { listFiles } from "./lint/list_files.ts";
import { decodeUtf8, Utf8Error } from "../shared/utf8.ts";
import { isVisible, toVisible } from "../shared/visible_text.ts";

const encoder = new TextEncoder();

/** Paths are relative to `root`, which ends with a slash; the default is the current folder. */
export function createIo(root = ""): Io {
  return {
    out: (text) => writeAll(Deno.stdout, text),
    err: (text) => writeAll(Deno.stderr, text),
    read: (path) => explained(path, () => readText(root, path)),
    list: async (folder, ending) =>
      (await listFiles(root + folder, ending)).map((path) => visiblePath(path.slice(root.length))),
    write: (path, text) => explained(path, () => Deno.writeTextFile(root + path, text)),
    git: (args) => runGit(args, root),
    today: new Date().toISOString().slice(0, 10),
    color: Deno.stdout.isTerminal() && !Deno.noColor,
  };
}

/** Names of files are printed, each on a line with more. */
function visiblePath(path: string): string {
  if (isVisible(path)) return path;
  throw new FileError(`${toVisible(path)}: Rename the file: its name has invisible characters`);
}

function writeAll(to: { writeSync(bytes: Uint8Array): number }, text: string): void {
  let rest = encoder.encode(text);
  while (rest.length > 0) rest = rest.subarray(to.writeSync(rest));
}

async function readText(root: string, path: string): Promise<string> {
  const bytes = path === STANDARD_INPUT
    ? await new Response(Deno.stdin.readable).bytes()
    : await Deno.readFile(root + path);
  return decodeUtf8(bytes);
}

async function explained<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) throw new UsageError(`No such file: ${path}`);
    if (error instanceof Deno.errors.NotCapable) {
      throw new UsageError(
        `No permission for ${path}: run deno task policy, which may use the files that you name`,
      );
    }
    if (error instanceof Utf8Error) throw new FileError(`${path}: ${error.message}`);
    throw new EnvironmentError(`Cannot use ${path}: ${reasonOf(error)}`, EXIT.noInput);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error
    ? error.message.replace(/:? ?(?:readfile|open) '.*$/, "")
    : String(error);
}

async function runGit(args: readonly string[], root: string): Promise<string> {
  const { success, stdout, stderr } = await spawnGit(args, root);
  if (success) return new TextDecoder().decode(stdout);
  const reason = new TextDecoder().decode(stderr).trim().split("\n")[0] ?? "";
  throw new UsageError(`git ${args[0]} failed: ${reason}${await shallowHint(root)}`);
}

/** CI checks out one commit by default, without any other revision. */
async function shallowHint(root: string): Promise<string> {
  const { stdout } = await spawnGit(["rev-parse", "--is-shallow-repository"], root);
  if (new TextDecoder().decode(stdout).trim() !== "true") return "";
  return "\nThis clone is shallow, so it lacks older revisions. Run: git fetch --unshallow" +
    "\nIn GitHub Actions, set fetch-depth: 0 for actions/checkout";
}

async function spawnGit(args: readonly string[], root: string): Promise<Deno.CommandOutput> {
  try {
    return await new Deno.Command("git", {
      args: [...args],
      ...(root === "" ? {} : { cwd: root }),
      stdout: "piped",
      stderr: "piped",
    }).output();
  } catch (error) {
    throw new EnvironmentError(
      `git cannot be run: ${reasonOf(error)}. Install git, or compare with a file instead`,
      EXIT.unavailable,
    );
  }
}
