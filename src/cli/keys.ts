/**
 * `recto keys`: creates, lists, rotates and revokes API keys and the keys of the local issuer.
 *
 * @module
 */
import { didYouMean } from "../shared/did_you_mean.ts";
import { attempt, type CommandResult, conclude, failure } from "./command.ts";
import type { KeysContext } from "./keys/context.ts";
import { create } from "./keys/create.ts";
import { revokeIssuerToken, rotateIssuer } from "./keys/issuer.ts";
import { list } from "./keys/list.ts";
import { revoke } from "./keys/revoke.ts";
import { rotate } from "./keys/rotate.ts";
import { asksForHelp, unknownOption, UsageError } from "./options.ts";

const USAGE = `Usage: recto keys COMMAND

API keys, for integrations:

  create --name N --scope "pages.read blocks.read" [--workspace W] [--expires 90d]
         prints a new key, which is shown only once
  list [--workspace W] [--format text|json]
         lists all keys, with the hour of their last use
  rotate ID [--grace 24h] [--expires 90d]
         prints a new secret for a key; the one before works until the grace period ends
  revoke ID
         ends a key with all of its secrets; ID may be the key itself

The local issuer, whose tokens \`recto token\` mints:

  issuer rotate [--grace 24h]
         replaces its key pair; tokens minted before are refused once the grace period ends
  issuer revoke TOKEN
         revokes one token, named by itself or its jti claim; - reads it from standard input

Durations are a number and s, m, h or d. A grace period is at most 30d, and 0s ends it at once. Changes
take effect in running servers within a second.
`;

type Run = (args: readonly string[], context: KeysContext) => Promise<CommandResult>;

interface KeysCommand {
  /** Completes "Cannot …". */
  readonly verb: string;
  readonly run: Run;
}

const COMMANDS: Readonly<Record<string, KeysCommand>> = {
  create: { verb: "create an API key", run: create },
  list: { verb: "list API keys", run: list },
  rotate: { verb: "rotate an API key", run: rotate },
  revoke: { verb: "revoke an API key", run: revoke },
  "issuer rotate": { verb: "rotate the local issuer's key", run: rotateIssuer },
  "issuer revoke": { verb: "revoke a token", run: revokeIssuerToken },
};

/** Runs one of the commands on keys. */
export async function keys(
  args: readonly string[],
  context: KeysContext,
): Promise<CommandResult> {
  if (asksForHelp(args)) return { code: 0, stdout: USAGE, stderr: "" };
  const length = args[0] === "issuer" ? 2 : 1;
  const name = args.slice(0, length).join(" ");
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) return failure(2, `${unknownCommand(name)}\n\n${USAGE}`);
  try {
    return await attempt(command.verb, () => command.run(args.slice(length), context));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return failure(2, `${error.message}\n\n${USAGE}`);
  }
}

function unknownCommand(name: string): string {
  if (name === "") return "Missing command";
  if (name.startsWith("-")) return unknownOption(name, []);
  const hint = didYouMean(name, Object.keys(COMMANDS));
  return [`Unknown command ${name}`, hint].filter(Boolean).join(": ");
}

if (import.meta.main) {
  const context: KeysContext = {
    environment: (name) => Deno.env.get(name),
    now: Date.now(),
    readInput: () => new Response(Deno.stdin.readable).text(),
  };
  await conclude(await keys(Deno.args, context));
}
