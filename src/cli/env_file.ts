/**
 * `recto --env-file=PATH`: settings from a file, so that no command line or shell has to name them.
 *
 * @module
 */
import { resolve } from "node:path";
import { parseEnv } from "node:util";

const OPTION = "--env-file";
const PRINT_FILE = import.meta.resolve("./print_file.ts");

/** The file with settings cannot be used. */
export class EnvFileError extends Error {}

export interface EnvFileArguments {
  /** Files in the order of the command line. */
  readonly files: readonly string[];
  /** All other arguments. */
  readonly args: readonly string[];
}

/** Takes `--env-file=PATH` and `--env-file PATH` out of a command line; throws `EnvFileError`. */
export function takeEnvFiles(args: readonly string[]): EnvFileArguments {
  const files: string[] = [];
  const others: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? "";
    if (arg !== OPTION && !arg.startsWith(`${OPTION}=`)) {
      others.push(arg);
      continue;
    }
    const path = arg === OPTION ? args[++index] : arg.slice(OPTION.length + 1);
    if (!path) throw new EnvFileError(`${OPTION} needs a path: ${OPTION}=PATH`);
    files.push(path);
  }
  return { files, args: others };
}

/**
 * Returns the settings of files, `NAME=VALUE` on each line; of several files, the last one wins.
 * Throws `EnvFileError`.
 */
export function readEnvFiles(files: readonly string[]): Readonly<Record<string, string>> {
  return Object.assign({}, ...files.map(readEnvFile));
}

function readEnvFile(path: string): Readonly<Record<string, string | undefined>> {
  try {
    return parseEnv(readApart(path));
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    throw new EnvFileError(`${OPTION} cannot be read: ${reason}`);
  }
}

/**
 * Returns the settings that permissions follow from: with the URL of the database in place of its
 * file. The command itself reports a file that cannot be read.
 */
export function withDatabaseUrl(
  environment: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const { DATABASE_URL: url, DATABASE_URL_FILE: path } = environment;
  if (url || !path) return environment;
  try {
    const text = readApart(path).replace(/[\r\n]+$/, "");
    return { ...environment, DATABASE_URL: text, DATABASE_URL_FILE: "" };
  } catch {
    return environment;
  }
}

/** Reads a file in a process that may read nothing else, because the launcher may read none. */
function readApart(path: string): string {
  const absolute = resolve(path);
  const { code, stdout, stderr } = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-prompt", `--allow-read=${absolute}`, PRINT_FILE, absolute],
  }).outputSync();
  const decoder = new TextDecoder();
  if (code !== 0) throw new Error(decoder.decode(stderr));
  return decoder.decode(stdout);
}
