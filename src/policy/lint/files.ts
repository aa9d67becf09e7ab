/**
 * What the commands read, by its place.
 *
 * @module
 */
import { type CaseFile, parseCases } from "../analysis/cases.ts";
import { type Io, STANDARD_INPUT, UsageError } from "../command.ts";
import { type PublishedApi, readApi } from "../document.ts";
import { FileError, PolicyError } from "../issue.ts";
import { CASES, DOCUMENT, POLICY, specCommand } from "./places.ts";
import { parsePolicyFile, type PolicyFile } from "../schema.ts";
import { readJson } from "./source.ts";

/** The policy that is being worked on. */
export async function readPolicyFile(io: Io, path: string = POLICY): Promise<PolicyFile> {
  const text = await io.read(path);
  return named(path, () => parsePolicyFile(text));
}

/** What is published; rejects with `FileError` where the document is not JSON. */
export async function readPublished(io: Io): Promise<PublishedApi> {
  return readApi(
    readJson(await io.read(DOCUMENT), { file: DOCUMENT, remedy: specCommand(POLICY) }),
  );
}

/** Every file of cases, in the order of their names. */
export async function readCases(io: Io): Promise<CaseFile[]> {
  const files = await io.list(CASES, ".json");
  return Promise.all(files.map(async (file) => parseCases(await io.read(file), file)));
}

/** A policy by a file's path, by `REVISION:path`, by a git revision alone, or `-`. */
export async function readPolicyAt(io: Io, place: string): Promise<PolicyFile> {
  const text = await readAt(io, place, POLICY);
  return named(place, () => parsePolicyFile(text));
}

/** Reads a policy; the faults of another than the one that `check` looks at by itself have its name. */
export function named<T>(place: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (place === POLICY || !(error instanceof PolicyError)) throw error;
    throw new FileError(error.message.split("\n").map((line) => `${place}: ${line}`).join("\n"));
  }
}

/** A text by a file's path, by `REVISION:path`, by a revision alone of `usual`, or `-`. */
export function readAt(io: Io, place: string, usual: string): Promise<string> {
  const isFile = place.endsWith(".json") && !place.includes(":");
  if (isFile || place === STANDARD_INPUT) return io.read(place);
  // Git would take it for an option.
  if (place.startsWith("-")) throw new UsageError(`Not a revision: ${JSON.stringify(place)}`);
  const [revision = "", path = usual] = place.split(":");
  return io.git(["show", "--end-of-options", `${revision}:./${path}`]);
}
