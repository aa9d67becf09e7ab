/**
 * `recto --env-file=PATH`: settings from a file, so that no command line or shell has to name them.
 *
 * @module
 */
import { parseEnv } from "node:util";

const OPTION = "--env-file";

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
    return parseEnv(Deno.readTextFileSync(path));
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    throw new EnvFileError(`${OPTION} cannot be read: ${reason}`);
  }
}
