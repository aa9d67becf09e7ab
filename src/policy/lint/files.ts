/**
 * Reads the files that the commands work with.
 *
 * @module
 */
import { type CaseFile, parseCases } from "../analysis/cases.ts";
import { type Io, STANDARD_INPUT, UsageError } from "../command.ts";
import { type PublishedApi, readApi } from "../document.ts";
import { FileError, PolicyError } from "../issue.ts";
import { CASES, documentPaths, POLICY, specCommand } from "./paths.ts";
import { parsePolicyFile, type PolicyFile } from "../schema.ts";
import { readJson } from "./source.ts";

/** Reads the policy in the working tree. */
export async function readPolicyFile(io: Io, path: string = POLICY): Promise<PolicyFile> {
  const text = await io.read(path);
  return withFileName(path, () => parsePolicyFile(text));
}

export interface DocumentOptions {
  /** Path of the document, if it is none that `recto spec` writes. */
  readonly file?: string | undefined;
  /** The policy that the document belongs to; default: Recto's own. */
  readonly policyFile?: string;
}

/** Reads a published document; rejects with `FileError` if it is not JSON. */
export async function readPublished(io: Io, options?: DocumentOptions): Promise<PublishedApi> {
  return readApi(await readDocument(io, options));
}

/** Parses a published document; rejects with `FileError` if it is not JSON. */
export async function readDocument(
  io: Io,
  { file, policyFile = POLICY }: DocumentOptions = {},
): Promise<unknown> {
  if (file !== undefined) return readJson(await io.read(file), { file });
  const { document } = documentPaths(policyFile);
  const remedy = specCommand(policyFile);
  const text = await io.read(document).catch((error) => {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`${error.message}\n\nRun: ${remedy}`);
  });
  return readJson(text, { file: document, remedy });
}

/** Reads all files of cases, in the order of their names. */
export async function readCases(io: Io): Promise<CaseFile[]> {
  const files = await io.list(CASES, ".json");
  return Promise.all(files.map(async (file) => parseCases(await io.read(file), file)));
}

/** Reads a policy from a file, `REVISION:path`, a git revision or `-`. */
export async function readPolicyAt(io: Io, name: string): Promise<PolicyFile> {
  const text = await readAt(io, name, POLICY);
  return withFileName(name, () => parsePolicyFile(text));
}

/**
 * Parses a policy. Errors name the file unless it is the default one, which `check` reports in detail.
 */
export function withFileName<T>(name: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (name === POLICY || !(error instanceof PolicyError)) throw error;
    throw new FileError(error.message.split("\n").map((line) => `${name}: ${line}`).join("\n"));
  }
}

/** Returns the git revision that a name refers to; undefined if it names a file. */
export function revisionOf(name: string): string | undefined {
  const isFile = name.endsWith(".json") && !name.includes(":");
  return isFile || name === STANDARD_INPUT ? undefined : name.split(":")[0];
}

/** Reads a file, `REVISION:path`, the file `fallback` of a git revision, or `-`. */
export function readAt(io: Io, name: string, fallback: string): Promise<string> {
  if (revisionOf(name) === undefined) return io.read(name);
  // Git would parse it as an option.
  if (name.startsWith("-")) throw new UsageError(`Not a git revision: ${JSON.stringify(name)}`);
  const [revision = "", path = fallback] = name.split(":");
  return io.git(["show", "--end-of-options", `${revision}:./${path}`]);
}
