/**
 * Paths on a command line, seen from the folder in which `recto` was called.
 *
 * @module
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";

/** The arguments of a command that are paths. */
export interface PathArguments {
  /**
   * True if arguments without a dash are paths; or the form of a path among these arguments and the
   * values of all options.
   */
  readonly words: boolean | RegExp;
  /** Words that are no paths. */
  readonly except?: readonly string[];
  /** Options whose values are paths, without dashes. */
  readonly options: readonly string[];
  /** Other options with a value. */
  readonly values?: readonly string[];
}

/** URLs, and `-` for standard input. */
const NO_PATH = /^(?:[a-z][a-z0-9+.-]*:\/\/.*|-|)$/;

/** Returns the arguments with absolute paths, because commands run in the checkout. */
export function resolvePaths(
  args: readonly string[],
  paths: PathArguments | undefined,
  folder: string,
): readonly string[] {
  if (paths === undefined) return args;
  const { words, except = [], options, values = [] } = paths;
  const isPattern = words instanceof RegExp;
  const isPath = (text: string) => isPattern ? words.test(text) : words && !except.includes(text);
  const toPath = (text: string) => NO_PATH.test(text) ? text : resolve(folder, text);
  const types = Object.fromEntries(
    [...options, ...values].map((name) => [name, { type: "string" as const }]),
  );
  const { tokens } = parseArgs({ args: [...args], options: types, strict: false, tokens: true });
  const resolved = [...args];
  for (const token of tokens) {
    if (token.kind === "positional" && isPath(token.value)) {
      resolved[token.index] = toPath(token.value);
    } else if (token.kind === "option" && token.value) {
      if (!options.includes(token.name) && !(isPattern && isPath(token.value))) continue;
      if (token.inlineValue) resolved[token.index] = `${token.rawName}=${toPath(token.value)}`;
      else resolved[token.index + 1] = toPath(token.value);
    }
  }
  return resolved;
}
