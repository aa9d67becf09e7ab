/**
 * `keys issuer`: rotates the key pair of the local issuer, and revokes its tokens.
 *
 * @module
 */
import {
  readRevokedToken,
  revokeLocalToken,
  rotateLocalIssuer,
} from "../../auth/local_issuer_changes.ts";
import { readConfig } from "../../config/config.ts";
import { OperatorError } from "../../store/operator_error.ts";
import { type CommandResult, failure } from "../command.ts";
import { readOptions, UsageError } from "../options.ts";
import { assertNoPositionals, type KeysContext, readGrace, readPositional } from "./context.ts";
import { describeTime } from "./times.ts";

/** Replaces the key pair; tokens minted before work until the grace period ends. */
export async function rotateIssuer(
  args: readonly string[],
  context: KeysContext,
): Promise<CommandResult> {
  const options = readOptions(args, { values: ["grace"] });
  assertNoPositionals(options);
  const graceEnd = context.now + readGrace(options);
  await rotateLocalIssuer(localFolder(context), { now: context.now, graceEnd });
  const stdout = `Rotated the local issuer's key: tokens minted before work until ${
    describeTime(graceEnd)
  } at the latest\n`;
  return { code: 0, stdout, stderr: "" };
}

/** Revokes one token. */
export async function revokeIssuerToken(
  args: readonly string[],
  context: KeysContext,
): Promise<CommandResult> {
  const named = readPositional(readOptions(args, { values: [] }), "TOKEN");
  const folder = localFolder(context);
  const text = named === "-" ? (await context.readInput()).trim() : named;
  const token = readRevokedToken(text, context.now);
  if (token === undefined) {
    throw new UsageError(
      "TOKEN must be a token of the local issuer, or the value of its jti claim",
    );
  }
  const isNew = await revokeLocalToken(folder, token, context.now);
  if (!isNew) return failure(1, "The token was revoked before\n");
  return { code: 0, stdout: `Revoked token ${token.jti}\n`, stderr: "" };
}

/** Returns the local issuer's folder; throws `OperatorError` if the server trusts another issuer. */
function localFolder({ environment }: KeysContext): string {
  const { auth, dataDir } = readConfig(environment);
  if (auth.kind === "local") return dataDir;
  throw new OperatorError("RECTO_AUTH_ISSUER is set: rotate keys and revoke tokens at that issuer");
}
