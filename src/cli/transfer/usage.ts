/**
 * Errors in the arguments of a command.
 *
 * @module
 */
import { unknownOption } from "../options.ts";

/** Returns the sentence of an error of `parseArgs()`; for an unknown option, with a suggestion. */
export function usageSentence(error: unknown, options: object): string {
  const message = error instanceof Error ? error.message : String(error);
  const [, unknown] = /^Unknown option '(-[^']*)'/.exec(message) ?? [];
  return unknown === undefined ? message : unknownOption(unknown, Object.keys(options));
}
