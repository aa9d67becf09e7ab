/**
 * The words after a command.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { type Command, UsageError } from "../../policy/command.ts";

export interface Options {
  readonly values: ReadonlyMap<string, string>;
  readonly flags: ReadonlySet<string>;
  readonly words: readonly string[];
}

/** What a command takes. */
export interface Grammar {
  /** Options with a value. */
  readonly values?: readonly string[];
  /** Options without. */
  readonly flags?: readonly string[];
  /** Least and most words that are no option. */
  readonly words?: readonly [least: number, most: number];
}

/** Reads the words of a command; throws `UsageError` where they are not those it takes. */
export function readOptions(args: readonly string[], grammar: Grammar): Options {
  const { values, positionals } = parse(args, grammar);
  const [least, most] = grammar.words ?? [0, 0];
  if (positionals.length < least) throw new UsageError("Too few arguments");
  if (positionals.length > most) {
    throw new UsageError(`Unexpected argument: ${JSON.stringify(positionals[most])}`);
  }
  const given = Object.entries(values);
  return {
    values: new Map(
      given.flatMap(([name, value]) => typeof value === "string" ? [[name, value]] : []),
    ),
    flags: new Set(given.flatMap(([name, value]) => value === true ? [name] : [])),
    words: positionals,
  };
}

/** One of a few words; throws `UsageError` for another. */
export function readChoice<const T extends string>(
  { values }: Options,
  { name, choices }: { readonly name: string; readonly choices: readonly [T, ...T[]] },
): T {
  const given = values.get(name) ?? choices[0];
  const choice = choices.find((one) => one === given);
  if (choice !== undefined) return choice;
  throw new UsageError(`--${name} is one of ${choices.join(", ")}: got ${JSON.stringify(given)}`);
}

/** How a command is called. */
export function usageOf({ name, usage }: Command): string {
  return usage.map((line) => line.startsWith(name) ? `  deno task policy ${line}\n` : `  ${line}\n`)
    .join("");
}

function parse(args: readonly string[], grammar: Grammar): ReturnType<typeof parseArgs> {
  const options = Object.fromEntries([
    ...(grammar.values ?? []).map((name) => [name, { type: "string" as const }]),
    ...(grammar.flags ?? []).map((name) => [name, { type: "boolean" as const }]),
  ]);
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
