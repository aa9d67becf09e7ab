/**
 * The local issuer: a key pair in the data folder, so that Recto runs without configuration.
 *
 * @module
 */
import { decodeProtectedHeader } from "jose/decode/protected_header";
import { calculateJwkThumbprint } from "jose/jwk/thumbprint";
import { decodeJwt } from "jose/jwt/decode";
import { SignJWT } from "jose/jwt/sign";
import { importJWK } from "jose/key/import";
import type { CryptoKey, JSONWebKeySet } from "jose";
import { type KeyPair, type LocalIssuerFile, readIssuerFile } from "./local_issuer_file.ts";
import { InvalidToken } from "./token_errors.ts";
import type { TokenVerifier } from "./token_verifier.ts";

export const LOCAL_ISSUER = "urn:recto:local";
/** The audience of local tokens if `RECTO_AUTH_AUDIENCE` is not set. */
export const DEFAULT_AUDIENCE = "recto";

/** Maximum lifetime of a token in seconds. */
export const MAX_LIFETIME = 365 * 86_400;

export interface LocalIssuerOptions {
  /** Folder of the key pair; created with mode 0700 if it is missing. */
  readonly folder: string;
  /** Default `recto`. */
  readonly audience?: string | undefined;
  /** The claim that names the tenant; default `workspace_id`. */
  readonly workspaceClaim?: string | undefined;
}

export interface MintOptions {
  /** Scopes separated by spaces. */
  readonly scope: string;
  readonly workspace?: string;
  /** Default `local`. */
  readonly sub?: string;
  readonly name?: string;
  readonly email?: string;
  /** How the user signed in (RFC 9470). */
  readonly acr?: string;
  /** Thumbprint (RFC 7638) of the client's key, which the token is bound to. */
  readonly boundKey?: string;
  readonly ttlSeconds: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface LocalIssuer {
  readonly issuer: typeof LOCAL_ISSUER;
  readonly audience: string;
  /** The public keys only: the current one and those before it. */
  readonly jwks: JSONWebKeySet;
  /** Creates the verifier that also refuses revoked tokens, and those of a replaced key. */
  guard(verify: TokenVerifier): TokenVerifier;
  /** Signs an access token (RFC 9068). */
  mint(options: MintOptions): Promise<string>;
}

/**
 * Opens the issuer of a folder, and creates its key pair on first use.
 *
 * It knows the file as it is now. Rejects if the folder cannot be written or the file is damaged.
 */
export async function openLocalIssuer(options: LocalIssuerOptions): Promise<LocalIssuer> {
  const { d, previous, revoked, ...publicJwk } = await readIssuerFile(options.folder);
  const kid = await calculateJwkThumbprint(publicJwk);
  const signingKey = await importSigningKey({ ...publicJwk, d });
  const audience = options.audience ?? DEFAULT_AUDIENCE;
  const workspaceClaim = options.workspaceClaim ?? "workspace_id";
  const replaced = await byKeyId(previous.filter(({ x }) => x !== publicJwk.x));
  return {
    issuer: LOCAL_ISSUER,
    audience,
    jwks: {
      keys: [[kid, publicJwk] as const, ...replaced].map(([id, { kty, crv, x, y }]) => ({
        kty,
        crv,
        x,
        y,
        kid: id,
        alg: "ES256",
        use: "sig",
      })),
    },
    guard: (verify) => guardTokens(verify, replaced, new Set(revoked.map(({ jti }) => jti))),
    mint: (mintOptions) =>
      new SignJWT({ ...toClaims(mintOptions, workspaceClaim), aud: audience })
        .setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid })
        .sign(signingKey),
  };
}

type PreviousKey = LocalIssuerFile["previous"][number];

async function byKeyId(keys: readonly PreviousKey[]): Promise<ReadonlyMap<string, PreviousKey>> {
  const entries = keys.map(async ({ expires, ...jwk }) =>
    [await calculateJwkThumbprint(jwk), { ...jwk, expires }] as const
  );
  return new Map(await Promise.all(entries));
}

function guardTokens(
  verify: TokenVerifier,
  replaced: ReadonlyMap<string, PreviousKey>,
  revoked: ReadonlySet<string>,
): TokenVerifier {
  return async (token, now) => {
    const principal = await verify(token, now);
    // Only decoded, because the token has just been verified.
    const { jti } = decodeJwt(token);
    if (jti !== undefined && revoked.has(jti)) {
      throw new InvalidToken("The token was revoked");
    }
    const end = replaced.get(decodeProtectedHeader(token).kid ?? "")?.expires ?? Infinity;
    if (end <= now) throw new InvalidToken("The token's key was replaced by a rotation");
    return end < principal.expiresAt ? Object.freeze({ ...principal, expiresAt: end }) : principal;
  };
}

async function importSigningKey(jwk: KeyPair): Promise<CryptoKey> {
  const key = await importJWK(jwk, "ES256");
  if (key instanceof Uint8Array) throw new Error("Expected a private key, got a symmetric key");
  return key;
}

function toClaims(options: MintOptions, workspaceClaim: string): Record<string, unknown> {
  const issuedAt = Math.floor(options.now / 1000);
  const optional = {
    [workspaceClaim]: options.workspace,
    name: options.name,
    email: options.email,
    acr: options.acr,
    cnf: options.boundKey === undefined ? undefined : { jkt: options.boundKey },
  };
  return {
    // JSON omits undefined members.
    ...optional,
    iss: LOCAL_ISSUER,
    sub: options.sub ?? "local",
    client_id: "recto-cli",
    jti: crypto.randomUUID(),
    iat: issuedAt,
    exp: issuedAt + options.ttlSeconds,
    scope: options.scope,
  };
}
