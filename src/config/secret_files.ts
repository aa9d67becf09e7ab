/**
 * Secrets in files, as container platforms and systemd provide them: the variable `NAME_FILE` has
 * the path of the file that holds the value of `NAME`.
 *
 * @module
 */
import type { Environment } from "./variables.ts";

/** Returns the text of a file; throws if it cannot be read. */
export type ReadFile = (path: string) => string;

/** A setting that has a value, and the name under which it was found. */
export interface SetVariable {
  readonly name: string;
  readonly text: string;
}

export interface Issue {
  readonly issue: string;
}

/** Returns the name of the variable with the path of a secret's file. */
export function fileVariable(name: string): string {
  return `${name}_FILE`;
}

/**
 * Returns a secret: `set`, which the environment has, or what its file holds without line breaks at
 * the end; undefined if there is neither. Both together are an issue, and so is a file that is
 * empty, has several lines or cannot be read.
 */
export function findSecret(
  name: string,
  set: SetVariable | undefined,
  environment: Environment,
  readFile: ReadFile = Deno.readTextFileSync,
): SetVariable | Issue | undefined {
  const path = environment(fileVariable(name));
  if (!path) return set;
  return set === undefined
    ? readSecret(name, path, readFile)
    : { issue: `${set.name} and ${fileVariable(name)} must not both be set` };
}

function readSecret(name: string, path: string, readFile: ReadFile): SetVariable | Issue {
  const issue = (what: string) => ({ issue: `${fileVariable(name)} ${what}: "${path}"` });
  try {
    const text = readFile(path).replace(/[\r\n]+$/, "");
    if (text === "") return issue("names an empty file");
    return /[\r\n\0]/.test(text) ? issue("names a file with several lines") : { name, text };
  } catch (error) {
    return issue(`names a file that cannot be read (${reasonOf(error)})`);
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof Deno.errors.NotFound) return "it does not exist";
  if (error instanceof Deno.errors.PermissionDenied) return "its permissions forbid it";
  return error instanceof Error ? error.message : String(error);
}
