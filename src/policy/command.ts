/**
 * The interface between `deno task policy` and its commands.
 *
 * @module
 */

/** The file name that stands for standard input. */
export const STANDARD_INPUT = "-";

/** A command's access to files, git and the terminal. Tests pass their own. */
export interface Io {
  /** Writes to standard output, without adding a line break. */
  out(text: string): void;
  /** Writes to standard error. */
  err(text: string): void;
  /**
   * Reads a file, or standard input for `-`; rejects with `UsageError` if the file does not exist.
   */
  read(path: string): Promise<string>;
  /**
   * Returns the sorted paths of the files below a folder, at any depth, that have this ending; an
   * empty list if the folder does not exist.
   */
  list(folder: string, ending: string): Promise<string[]>;
  write(path: string, text: string): Promise<void>;
  /** Returns the standard output of git; rejects with `UsageError` if git fails. */
  git(args: readonly string[]): Promise<string>;
  /** The current date in UTC, such as `2026-12-31`. */
  readonly today: string;
  /** True if standard output is a terminal that shows colours. */
  readonly color: boolean;
}

/** One string for each of the files that the server checks together. */
export type ServedFiles = Readonly<Record<"policy" | "document" | "meta", string>>;

/** The context of a command. */
export interface CommandContext extends Io {
  /**
   * Returns the reasons why the server would reject these files, one sentence each; an empty list
   * if it would start.
   */
  rejections(texts: ServedFiles, paths: ServedFiles): Promise<readonly string[]>;
}

export interface Command {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** Usage, one form per line, without `deno task policy`. */
  readonly usage: readonly string[];
  /** Runs the command; returns an exit code of {@linkcode EXIT}. */
  run(args: readonly string[], context: CommandContext): Promise<number> | number;
}

/**
 * Exit codes. Those above 63 are from sysexits(3). No command uses 1: Deno and most other runtimes
 * end with it if they crash, do not start or find a lock file out of date.
 */
export const EXIT = {
  good: 0,
  /** `diff`: the new policy widens access, and no approval covers it. */
  wider: 2,
  /** `explain`: the call is refused. */
  denied: 2,
  /** `check`, `test`, `fmt --check`, `replay`: something needs attention. */
  findings: 3,
  /** `diff`: the new policy only restricts access. */
  narrower: 4,
  usage: 64,
  /** A file has invalid content. */
  data: 65,
  /** A file cannot be read or written. */
  noInput: 66,
  /** A program that the command needs is missing. */
  unavailable: 69,
  /** The command crashed. */
  crash: 70,
} as const;

/** The command cannot do its work on this machine. The message says what to do. */
export class EnvironmentError extends Error {
  constructor(message: string, readonly code: typeof EXIT.noInput | typeof EXIT.unavailable) {
    super(message);
    this.name = "EnvironmentError";
  }
}

/** The command line is wrong, or names a file that does not exist. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UsageError";
  }
}
