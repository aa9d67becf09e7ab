/**
 * Reads the options of a command line.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { didYouMean } from "../shared/did_you_mean.ts";

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
  if (unknown === undefined) return error.message;
  const hint = didYouMean(unknown, names.map((name) => `--${name}`));
  return [`Unknown option ${unknown}`, hint].filter(Boolean).join(": ");
}
