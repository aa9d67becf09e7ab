/**
 * Parses the arguments of a command.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { type Command, UsageError } from "../../policy/command.ts";
import { usageSentence } from "../transfer/usage.ts";

export interface Options {
  readonly values: ReadonlyMap<string, string>;
  /** The values of options that can be repeated. */
  readonly lists: ReadonlyMap<string, readonly string[]>;
  readonly flags: ReadonlySet<string>;
  readonly words: readonly string[];
}

/** The arguments that a command accepts. */
export interface Grammar {
  /** Options with a value. */
  readonly values?: readonly string[];
  /** Options with a value that can be repeated. */
  readonly lists?: readonly string[];
  /** Options without a value. */
  readonly flags?: readonly string[];
  /** Minimum and maximum number of positional arguments. */
  readonly words?: readonly [least: number, most: number];
}

/** Parses the arguments of a command; throws `UsageError`. */
export function readOptions(args: readonly string[], grammar: Grammar): Options {
  const { values, positionals } = parse(args, grammar);
  const [least, most] = grammar.words ?? [0, 0];
  if (positionals.length < least) throw new UsageError("Too few arguments");
  if (positionals.length > most) {
    throw new UsageError(`Unexpected argument: ${JSON.stringify(positionals[most])}`);
  }
  const entries = Object.entries(values);
  return {
    values: new Map(
      entries.flatMap(([name, value]) => typeof value === "string" ? [[name, value]] : []),
    ),
    lists: new Map(
      entries.flatMap(([name, value]) => Array.isArray(value) ? [[name, value.map(String)]] : []),
    ),
    flags: new Set(entries.flatMap(([name, value]) => value === true ? [name] : [])),
    words: positionals,
  };
}

/** Returns the value of an option, by default the first choice; throws `UsageError` for any other. */
export function readChoice<const T extends string>(
  { values }: Options,
  { name, choices }: { readonly name: string; readonly choices: readonly [T, ...T[]] },
): T {
  const value = values.get(name) ?? choices[0];
  const choice = choices.find((one) => one === value);
  if (choice !== undefined) return choice;
  throw new UsageError(
    `--${name} must be one of ${choices.join(", ")}: got ${JSON.stringify(value)}`,
  );
}

/** Returns the usage of a command. */
export function usageOf({ name, usage }: Command): string {
  return usage.map((line) => line.startsWith(name) ? `  recto policy ${line}\n` : `  ${line}\n`)
    .join("");
}

function parse(args: readonly string[], grammar: Grammar): ReturnType<typeof parseArgs> {
  const options = Object.fromEntries([
    ...(grammar.values ?? []).map((name) => [name, { type: "string" as const }]),
    ...(grammar.lists ?? []).map((name) => [name, { type: "string" as const, multiple: true }]),
    ...(grammar.flags ?? []).map((name) => [name, { type: "boolean" as const }]),
  ]);
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(usageSentence(error, options));
  }
}
