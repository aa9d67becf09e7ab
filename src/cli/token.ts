/**
 * `recto token`: mints an access token of the local issuer.
 *
 * @module
 */
import { MAX_LIFETIME, type MintOptions, openLocalIssuer } from "../auth/local_issuer.ts";
import { type Environment, readConfig } from "../config/config.ts";
import { attempt, type CommandResult, conclude, failure } from "./command.ts";
import { parseDuration } from "./duration.ts";
import { asksForHelp, readOptions, UsageError } from "./options.ts";
import { scopeIssues, splitScopes } from "./scopes.ts";

const USAGE = `Usage: recto token --scope "pages.read blocks.read"
         [--workspace W] [--sub S] [--name N] [--email E] [--ttl 1h] [--acr A] [--jkt T]

Prints an access token of the local issuer.

  --scope      scopes, separated by spaces
  --workspace  workspace of the token
  --sub        ID of the user (default: local)
  --name       name of the user
  --email      e-mail address of the user
  --ttl        lifetime: a number and s, m, h or d (default: 1h, at most 365d)
  --acr        how the user signed in: the acr claim (RFC 9470)
  --jkt        SHA-256 thumbprint (RFC 7638) of your public key: binds the token to it (DPoP)
`;

const THUMBPRINT = /^[A-Za-z0-9_-]{43}$/;
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
  if (asksForHelp(args)) return { code: 0, stdout: USAGE, stderr: "" };
  const request = parseRequest(args);
  if (typeof request === "string") return failure(2, `${request}\n\n${USAGE}`);
  if (context.environment("RECTO_AUTH_ISSUER")) {
    return failure(1, "RECTO_AUTH_ISSUER is set: request a token from that issuer\n");
  }
  const { auth, dataDir, workspaceClaim, policyFile } = readConfig(context.environment);
  const issues = await scopeIssues(splitScopes(request.scope), policyFile);
  if (issues.length > 0) return failure(2, `${issues.join("\n")}\n\n${USAGE}`);
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
  const { scope, ttl, jkt, ...rest } = values;
  if (scope === undefined) return "--scope is required";
  if (!SCOPES.test(scope)) return `--scope must be scopes separated by one space: "${scope}"`;
  const ttlSeconds = parseTtl(ttl);
  if (ttlSeconds === undefined) return `--ttl must be 1s to 365d, such as 30m or 1h: "${ttl}"`;
  if (jkt === undefined) return { ...rest, scope, ttlSeconds };
  if (!THUMBPRINT.test(jkt)) {
    return `--jkt must be a SHA-256 thumbprint, 43 characters of base64url: "${jkt}"`;
  }
  return { ...rest, scope, ttlSeconds, boundKey: jkt };
}

interface Flags {
  readonly scope?: string;
  readonly workspace?: string;
  readonly sub?: string;
  readonly name?: string;
  readonly email?: string;
  readonly ttl: string;
  readonly acr?: string;
  readonly jkt?: string;
}

function parseFlags(args: readonly string[]): Flags | string {
  try {
    const options = readOptions(args, {
      values: ["scope", "workspace", "sub", "name", "email", "ttl", "acr", "jkt"],
    });
    const [first] = options.positionals;
    if (first !== undefined) return `Unexpected argument: ${JSON.stringify(first)}`;
    return { ttl: "1h", ...Object.fromEntries(options.values) };
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}

function parseTtl(ttl: string): number | undefined {
  const seconds = parseDuration(ttl);
  return seconds !== undefined && seconds > 0 && seconds <= MAX_LIFETIME ? seconds : undefined;
}

if (import.meta.main) {
  const environment = (name: string) => Deno.env.get(name);
  await conclude(await token(Deno.args, { environment, now: Date.now() }));
}
