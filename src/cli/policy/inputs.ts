/**
 * The options that several commands share: which policy, and which token.
 *
 * @module
 */
import { readScopes } from "../../policy/analysis/calls.ts";
import { readToken } from "../../policy/analysis/token.ts";
import { type Io, STANDARD_INPUT, UsageError } from "../../policy/command.ts";
import { readAt, revisionOf, withFileName } from "../../policy/lint/files.ts";
import { POLICY } from "../../policy/lint/paths.ts";
import { parsePolicyFile, type Policy, type PolicyFile } from "../../policy/schema.ts";
import type { Options } from "./options.ts";

/** For the usage of commands. */
export const POLICY_USAGE = "[--policy FILE|REVISION]";
export const TOKEN_USAGE = '--scopes "a.read b.read" | --token JWT';

/** A policy as a command reads it. */
export interface PolicyInput {
  /** Name of the file, such as `policy/scopes.json` or `main:policy/scopes.json`. */
  readonly name: string;
  readonly text: string;
}

/** Reads the text of the policy that `--policy` or the argument names, by default the live one. */
export async function readPolicyInput(
  io: Io,
  { values }: Options,
  argument?: string,
): Promise<PolicyInput> {
  const option = values.get("policy");
  if (option !== undefined && argument !== undefined) {
    throw new UsageError(`Name the policy once: --policy ${option} or ${argument}`);
  }
  const source = option ?? argument ?? POLICY;
  const text = await readAt(io, source, POLICY);
  const isRevision = revisionOf(source) !== undefined && !source.includes(":");
  return { name: isRevision ? `${source}:${POLICY}` : source, text };
}

/** Parses the policy that `--policy` or the argument names. */
export async function readChosenPolicy(
  io: Io,
  options: Options,
  argument?: string,
): Promise<PolicyFile> {
  const { name, text } = await readPolicyInput(io, options, argument);
  return withFileName(name, () => parsePolicyFile(text));
}

export interface TokenOptions {
  readonly policy: Policy;
  readonly io: Io;
  /** A token that the call itself has. */
  readonly authorization?: string | undefined;
}

/** Returns the scopes of `--scopes` or `--token`, and warns about what reviewers might overlook. */
export async function readTokenScopes(
  { values }: Options,
  { policy, io, authorization }: TokenOptions,
): Promise<Set<string>> {
  const scopes = values.get("scopes");
  const option = values.get("token");
  if (scopes !== undefined && option !== undefined) {
    throw new UsageError("Name the token once: --scopes or --token");
  }
  const token = option === STANDARD_INPUT ? await io.read(STANDARD_INPUT) : option ?? authorization;
  if (scopes !== undefined || token === undefined) return readScopes(scopes ?? "", { policy, io });
  const claims = readToken(token);
  io.err("The signature of the token was not checked\n");
  const expiry = claims.expiresAt && new Date(claims.expiresAt).toISOString();
  if (expiry && expiry.slice(0, 10) < io.today) io.err(`The token expired on ${expiry}\n`);
  return readScopes(claims.scopes.join(" "), { policy, io });
}
