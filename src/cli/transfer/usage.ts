/**
 * Errors in the arguments of a command.
 *
 * @module
 */
import { didYouMean } from "../../shared/did_you_mean.ts";

/** Returns the sentence of an error of `parseArgs()`; for an unknown option, with a suggestion. */
export function usageSentence(error: unknown, options: object): string {
  const message = error instanceof Error ? error.message : String(error);
  const [, unknown] = /^Unknown option '(-[^']*)'/.exec(message) ?? [];
  if (unknown === undefined) return message;
  const hint = didYouMean(unknown, Object.keys(options).map((name) => `--${name}`));
  return [`Unknown option ${unknown}`, hint].filter(Boolean).join(": ");
}
