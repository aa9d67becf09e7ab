/**
 * What is wrong with a policy file, and where.
 *
 * @module
 */

export interface PolicyIssue {
  /** The route it is about, or a JSON pointer (RFC 6901); `""` for the whole file. */
  readonly place: string;
  readonly detail: string;
}

/** Refuses a policy with all of its faults at once, one a line. */
export class PolicyError extends Error {
  readonly issues: readonly PolicyIssue[];

  constructor(issues: readonly PolicyIssue[]) {
    super(issues.map(toLine).join("\n"));
    this.name = "PolicyError";
    this.issues = issues;
  }
}

/** A file is not what it must be, and `check` does not look at it: the sentences name it and the place. */
export class FileError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "FileError";
  }
}

/** A fault at a path of names; below `routes` the place is the route itself, unescaped. */
export function createIssue(path: readonly string[], detail: string): PolicyIssue {
  const [table, route, ...rest] = path;
  if (table !== "routes" || route === undefined) return { place: toPointer(path), detail };
  return { place: [route, toPointer(rest)].join(" ").trimEnd(), detail };
}

function toPointer(path: readonly string[]): string {
  return path.map((key) => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

function toLine({ place, detail }: PolicyIssue): string {
  return place === "" ? detail : `${place}: ${detail}`;
}
