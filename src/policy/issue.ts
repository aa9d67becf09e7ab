/**
 * Errors in a policy file, and their places.
 *
 * @module
 */

import { toVisible } from "../shared/visible_text.ts";

export interface PolicyIssue {
  /** The route, or a JSON pointer (RFC 6901); `""` for the whole file. */
  readonly place: string;
  readonly detail: string;
}

/** A policy is invalid. The message lists all issues, one per line. */
export class PolicyError extends Error {
  readonly issues: readonly PolicyIssue[];

  constructor(issues: readonly PolicyIssue[]) {
    super(issues.map(toLine).join("\n"));
    this.name = "PolicyError";
    this.issues = issues;
  }
}

/** A file that `check` does not cover is invalid. The message names the file and the place. */
export class FileError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "FileError";
  }
}

/** Creates an issue from a path of names. Below `routes` its place is the route itself, unescaped. */
export function createIssue(path: readonly string[], detail: string): PolicyIssue {
  const [table, route, ...rest] = path;
  if (table !== "routes" || route === undefined) return { place: toPointer(path), detail };
  return { place: [route, toPointer(rest)].join(" ").trimEnd(), detail };
}

function toPointer(path: readonly string[]): string {
  return path.map((key) => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

function toLine({ place, detail }: PolicyIssue): string {
  return toVisible(place === "" ? detail : `${place}: ${detail}`);
}
