/**
 * Reads a policy together with what guards it: cases and approvals.
 *
 * @module
 */
import { type ApprovalFile, parseApproval } from "../analysis/approval.ts";
import { parseCases } from "../analysis/cases.ts";
import type { GuardedPolicy } from "../analysis/guards.ts";
import { type Io, STANDARD_INPUT, UsageError } from "../command.ts";
import { readAt, revisionOf, withFileName } from "./files.ts";
import { FileError, PolicyError } from "../issue.ts";
import { APPROVALS, CASES, POLICY } from "./paths.ts";
import { parsePolicyFile } from "../schema.ts";
import { toVisible } from "../../shared/visible_text.ts";

/** The branches that changes are compared with by default. */
const MAIN: readonly string[] = ["main", "origin/main"];

/** A guarded policy and the text that it was parsed from. */
export interface ReadPolicy extends GuardedPolicy {
  /** Name of the file that has the policy in the working tree, for the places in it. */
  readonly name: string;
  readonly text: string;
}

/**
 * Reads the policy of a file or revision. The cases and approvals are those of the revision, or of
 * the working tree for a file.
 */
export async function readGuarded(io: Io, name: string): Promise<ReadPolicy> {
  const text = await readAt(io, name, POLICY);
  const file = withFileName(name, () => parsePolicyFile(text));
  const revision = revisionOf(name);
  return {
    file,
    text,
    name: revision === undefined && name !== STANDARD_INPUT ? name : POLICY,
    cases: await readAll(io, { revision, folder: CASES, parse: parseCases }),
    approvals: await readAll(io, { revision, folder: APPROVALS, parse: parseApproval }),
  };
}

/** Reads the approvals of the working tree. */
export function readWorkingApprovals(io: Io): Promise<ApprovalFile[]> {
  return readAll(io, { revision: undefined, folder: APPROVALS, parse: parseApproval });
}

/** Returns the revision to compare with by default. */
export async function findMain(io: Io): Promise<string> {
  let reason = "";
  for (const name of MAIN) {
    try {
      await io.git(["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`]);
      return name;
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      reason = error.message;
    }
  }
  throw new UsageError(
    `There is no branch main to compare with. Name a revision: deno task policy diff OLD\n${reason}`,
  );
}

/** Reads approvals: files, or folders with files. */
export async function readApprovals(io: Io, paths: readonly string[]): Promise<ApprovalFile[]> {
  const files = await Promise.all(
    paths.map(async (path) => path.endsWith(".json") ? [path] : await listFolder(io, path)),
  );
  return Promise.all(
    [...new Set(files.flat())].map(async (file) => parseApproval(await io.read(file), file)),
  );
}

async function listFolder(io: Io, folder: string): Promise<string[]> {
  const files = await io.list(folder.replace(/\/$/, ""), ".json");
  if (files.length === 0) throw new UsageError(`No approvals in ${folder}: expected .json files`);
  return files;
}

interface Reading<T> {
  readonly revision: string | undefined;
  readonly folder: string;
  readonly parse: (text: string, file: string) => T;
}

async function readAll<T>(io: Io, { revision, folder, parse }: Reading<T>): Promise<T[]> {
  if (revision === undefined) {
    const files = await io.list(folder, ".json");
    return Promise.all(files.map(async (file) => parse(await io.read(file), file)));
  }
  const files = await listRevision(io, revision, folder);
  const texts = await Promise.all(
    files.map((file) => io.git(["show", "--end-of-options", `${revision}:./${file}`])),
  );
  return files.flatMap((file, index) => parseOld(texts[index] ?? "", { file, parse }));
}

async function listRevision(io: Io, revision: string, folder: string): Promise<string[]> {
  const args = ["ls-tree", "-r", "-z", "--name-only", "--end-of-options", revision, `${folder}/`];
  const files = (await io.git(args)).split("\0");
  return files.filter((file) => file.endsWith(".json")).sort();
}

/** A file of a revision that cannot be used guarded nothing, and nobody can mend it there. */
function parseOld<T>(
  text: string,
  { file, parse }: { readonly file: string; readonly parse: Reading<T>["parse"] },
): T[] {
  try {
    return [parse(text, toVisible(file))];
  } catch (error) {
    if (error instanceof PolicyError || error instanceof FileError) return [];
    throw error;
  }
}
