/**
 * `deno task token`: mints an access token of the local issuer.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { type MintOptions, openLocalIssuer } from "../auth/local_issuer.ts";
import { type Environment, readConfig } from "../config/config.ts";
import { attempt, type CommandResult, conclude, failure } from "./command.ts";

const USAGE = `Usage: deno task token --scope "pages.read blocks.read"
         [--workspace W] [--sub S] [--name N] [--email E] [--ttl 1h]

Prints an access token of the local issuer.

  --scope      scopes, separated by spaces
  --workspace  workspace of the token
  --sub        ID of the user (default: local)
  --name       name of the user
  --email      e-mail address of the user
  --ttl        lifetime: a number and s, m, h or d (default: 1h, at most 365d)
`;

const SECONDS: ReadonlyMap<string, number> = new Map([
  ["s", 1],
  ["m", 60],
  ["h", 3600],
  ["d", 86_400],
]);
const MAX_TTL = 365 * 86_400;
const SCOPES = /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/;

export interface TokenContext {
  readonly environment: Environment;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

type Request = Omit<MintOptions, "now">;

/**
 * Mints a token.
 *
 * Reads the same environment as the server. Fails if it names another issuer, because the server then
 * rejects tokens of the local one, or if the key file cannot be used.
 */
export function token(args: readonly string[], context: TokenContext): Promise<CommandResult> {
  return attempt("mint a token", () => mint(args, context));
}

async function mint(args: readonly string[], context: TokenContext): Promise<CommandResult> {
  const request = parseRequest(args);
  if (typeof request === "string") return failure(2, `${request}\n\n${USAGE}`);
  if (context.environment("RECTO_AUTH_ISSUER")) {
    return failure(1, "RECTO_AUTH_ISSUER is set: request a token from that issuer\n");
  }
  const { auth, dataDir, workspaceClaim } = readConfig(context.environment);
  const issuer = await openLocalIssuer({
    folder: dataDir,
    audience: auth.kind === "local" ? auth.audience : undefined,
    workspaceClaim,
  });
  const minted = await issuer.mint({ ...request, now: context.now });
  return { code: 0, stdout: `${minted}\n`, stderr: "" };
}

/** Returns what to mint, or the error in the arguments. */
function parseRequest(args: readonly string[]): Request | string {
  const values = parseFlags(args);
  if (typeof values === "string") return values;
  const empty = Object.entries(values).find(([, value]) => value === "");
  if (empty !== undefined) return `--${empty[0]} must not be empty`;
  const { scope, ttl, ...rest } = values;
  if (scope === undefined) return "--scope is required";
  if (!SCOPES.test(scope)) return `--scope must be scopes separated by one space: "${scope}"`;
  const ttlSeconds = parseTtl(ttl);
  if (ttlSeconds === undefined) return `--ttl must be 1s to 365d, such as 30m or 1h: "${ttl}"`;
  return { ...rest, scope, ttlSeconds };
}

interface Flags {
  readonly scope?: string;
  readonly workspace?: string;
  readonly sub?: string;
  readonly name?: string;
  readonly email?: string;
  readonly ttl: string;
}

function parseFlags(args: readonly string[]): Flags | string {
  const type = "string" as const;
  const options = {
    scope: { type },
    workspace: { type },
    sub: { type },
    name: { type },
    email: { type },
    ttl: { type, default: "1h" },
  };
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function parseTtl(ttl: string): number | undefined {
  const [, count, unit] = /^(\d{1,9})([smhd])$/.exec(ttl) ?? [];
  if (count === undefined || unit === undefined) return undefined;
  const seconds = Number(count) * (SECONDS.get(unit) ?? 0);
  return seconds > 0 && seconds <= MAX_TTL ? seconds : undefined;
}

if (import.meta.main) {
  const environment = (name: string) => Deno.env.get(name);
  await conclude(await token(Deno.args, { environment, now: Date.now() }));
}
