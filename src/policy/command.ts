/**
 * What a command of `deno task policy` is.
 *
 * @module
 */

/** Name of standard input. */
export const STANDARD_INPUT = "-";

/** What a command may do outside of itself; tests give it a world of their own. */
export interface Io {
  /** Writes to standard output; the text brings its own line ends. */
  out(text: string): void;
  /** Writes to standard error. */
  err(text: string): void;
  /** Text of a file, or of standard input for `-`; rejects with `UsageError` where there is none. */
  read(path: string): Promise<string>;
  /** Paths of the files anywhere below a folder that end so, sorted; none where there is no folder. */
  list(folder: string, ending: string): Promise<string[]>;
  write(path: string, text: string): Promise<void>;
  /** Standard output of git; rejects with `UsageError` where git fails. */
  git(args: readonly string[]): Promise<string>;
  /** Whether standard output is a terminal that shows colours. */
  readonly color: boolean;
}

/** The files that the server takes together: one thing for each. */
export type Served = Readonly<Record<"policy" | "document" | "meta", string>>;

/** The world of a reviewer's command, in which the server can be asked. */
export interface CommandContext extends Io {
  /** Why the server would not take these texts, a sentence each; none where it would start. */
  refusals(texts: Served, paths: Served): Promise<readonly string[]>;
}

export interface Command {
  readonly name: string;
  /** What it does, in one line. */
  readonly summary: string;
  /** How it is called, one form a line, without `deno task policy`. */
  readonly usage: readonly string[];
  /** Answers an exit code of {@linkcode EXIT}. */
  run(args: readonly string[], context: CommandContext): Promise<number> | number;
}

/** Exit codes; those past 63 are the ones of sysexits(3), so that a script tells a crash apart. */
export const EXIT = {
  good: 0,
  /** `diff`: the new policy only takes away. */
  narrower: 1,
  /** `diff`: the new policy opens something that no approval covers. */
  wider: 2,
  /** `explain`: the call is refused. */
  denied: 2,
  /** `check`, `test`, `fmt --check`, `replay`: there is something to look at. */
  findings: 3,
  usage: 64,
  /** A file is not what it must be. */
  data: 65,
} as const;

/** The command was called wrongly, or names what is not there. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UsageError";
  }
}
