/**
 * Where the commands find what they read.
 *
 * @module
 */
import { type CaseFile, parseCases } from "./cases.ts";
import { type Io, STANDARD_INPUT, UsageError } from "./command.ts";
import { type PublishedApi, readApi } from "./document.ts";
import { parsePolicyFile, type PolicyFile } from "./schema.ts";

export const POLICY = "policy/scopes.json";
export const DOCUMENT = "spec/openapi.json";
export const CASES = "policy/cases";
export const PAGE = "policy/policy.html";

/** The policy that is being worked on. */
export async function readPolicyFile(io: Io, path: string = POLICY): Promise<PolicyFile> {
  return parsePolicyFile(await io.read(path));
}

/** What is published. */
export async function readPublished(io: Io): Promise<PublishedApi> {
  return readApi(JSON.parse(await io.read(DOCUMENT)));
}

/** Every file of cases, in the order of their names. */
export async function readCases(io: Io): Promise<CaseFile[]> {
  const files = await io.list(CASES, ".json");
  return Promise.all(files.map(async (file) => parseCases(await io.read(file), file)));
}

/** A policy by a file's path, by `REVISION:path`, by a git revision alone, or `-`. */
export async function readPolicyAt(io: Io, place: string): Promise<PolicyFile> {
  return parsePolicyFile(await readAt(io, place, POLICY));
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
