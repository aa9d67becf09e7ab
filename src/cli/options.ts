/**
 * Reads the options of a command line.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { didYouMean } from "../shared/did_you_mean.ts";
import { type CommandResult, failure } from "./result.ts";

/** The options that a command takes: those with a value, and those without. */
export interface OptionNames {
  readonly values: readonly string[];
  readonly flags?: readonly string[];
}

/** Parsed arguments. */
export interface Options {
  readonly values: ReadonlyMap<string, string>;
  readonly flags: ReadonlySet<string>;
  readonly positionals: readonly string[];
}

/** Says what is wrong with a command line, a line for each issue. */
export class UsageError extends Error {}

/** The options and arguments that a command accepts. */
export interface CommandLine extends OptionNames {
  readonly usage: string;
  /** Minimum and maximum number of positional arguments; none by default. */
  readonly words?: readonly [least: number, most: number];
}

/** Runs a command with its options; prints the usage for `--help`, and with what is wrong. */
export async function runCommandLine(
  { usage, words = [0, 0], ...names }: CommandLine,
  args: readonly string[],
  run: (options: Options) => Promise<CommandResult>,
): Promise<CommandResult> {
  if (asksForHelp(args)) return { code: 0, stdout: usage, stderr: "" };
  try {
    const options = readOptions(args, names);
    checkCount(options.positionals, words);
    return await run(options);
  } catch (error) {
    if (error instanceof UsageError) return failure(2, `${error.message}\n\n${usage}`);
    throw error;
  }
}

/** Returns whether `--help` or `-h` is among the arguments. */
export function asksForHelp(args: readonly string[]): boolean {
  return args.includes("--help") || args.includes("-h");
}

function checkCount(words: readonly string[], [least, most]: readonly [number, number]): void {
  if (words.length < least) throw new UsageError("An argument is missing");
  if (words.length > most) throw new UsageError(`Unexpected argument: ${words[most]}`);
}

/** Returns the options; throws `UsageError`. */
export function readOptions(args: readonly string[], names: OptionNames): Options {
  const { values, flags = [] } = names;
  const options = {
    ...Object.fromEntries(values.map((name) => [name, { type: "string" as const }])),
    ...Object.fromEntries(flags.map((name) => [name, { type: "boolean" as const }])),
  };
  try {
    const parsed = parseArgs({ args: [...args], options, allowPositionals: true });
    const entries = Object.entries(parsed.values);
    const empty = entries.find(([, value]) => value === "");
    if (empty !== undefined) throw new UsageError(`--${empty[0]} must not be empty`);
    return {
      values: new Map(
        entries.flatMap(([name, value]) => typeof value === "string" ? [[name, value]] : []),
      ),
      flags: new Set(entries.flatMap(([name, value]) => value === true ? [name] : [])),
      positionals: parsed.positionals,
    };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(describe(error, [...values, ...flags]));
  }
}

function describe(error: unknown, names: readonly string[]): string {
  if (!(error instanceof TypeError)) throw error;
  const [, unknown] = /^Unknown option '(-{1,2}[^' ]+)'/.exec(error.message) ?? [];
  return unknown === undefined ? error.message : unknownOption(unknown, names);
}

/** Says that an option is unknown, and which one may be meant; names are without dashes. */
export function unknownOption(option: string, names: readonly string[]): string {
  const hint = didYouMean(option, ["help", ...names].map((name) => `--${name}`));
  return [`Unknown option ${option}`, hint].filter(Boolean).join(": ");
}
