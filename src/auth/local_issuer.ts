/**
 * The local issuer: a key pair in the data folder, so that Recto runs without configuration.
 *
 * @module
 */
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, SignJWT } from "jose";
import type { CryptoKey, JSONWebKeySet } from "jose";
import * as v from "valibot";

export const LOCAL_ISSUER = "urn:recto:local";
/** The audience of local tokens if `RECTO_AUTH_AUDIENCE` is not set. */
export const DEFAULT_AUDIENCE = "recto";

const KEY_FILE = "local_issuer.jwk.json";
const text = v.string();
const keyPair = v.object({
  kty: v.literal("EC"),
  crv: v.literal("P-256"),
  x: text,
  y: text,
  d: text,
});

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
  /** Thumbprint (RFC 7638) of the client's key, which the token is bound to. */
  readonly boundKey?: string;
  readonly ttlSeconds: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface LocalIssuer {
  readonly issuer: typeof LOCAL_ISSUER;
  readonly audience: string;
  /** The public key only. */
  readonly jwks: JSONWebKeySet;
  /** Signs an access token (RFC 9068). */
  mint(options: MintOptions): Promise<string>;
}

/**
 * Opens the issuer of a folder, and creates its key pair on first use.
 *
 * Processes that start together use the same pair. Rejects if the folder cannot be written or the
 * key file is damaged; a damaged file is never replaced, because its tokens may be in use.
 */
export async function openLocalIssuer(options: LocalIssuerOptions): Promise<LocalIssuer> {
  const { d, ...publicJwk } = await readOrCreateKeyPair(options.folder);
  const kid = await calculateJwkThumbprint(publicJwk);
  const signingKey = await importSigningKey({ ...publicJwk, d });
  const audience = options.audience ?? DEFAULT_AUDIENCE;
  const workspaceClaim = options.workspaceClaim ?? "workspace_id";
  return {
    issuer: LOCAL_ISSUER,
    audience,
    jwks: { keys: [{ ...publicJwk, kid, alg: "ES256", use: "sig" }] },
    mint: (mintOptions) =>
      new SignJWT({ ...toClaims(mintOptions, workspaceClaim), aud: audience })
        .setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid })
        .sign(signingKey),
  };
}

type KeyPair = v.InferOutput<typeof keyPair>;

async function readOrCreateKeyPair(folder: string): Promise<KeyPair> {
  const path = `${folder}/${KEY_FILE}`;
  try {
    return await readKeyPair(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  await publishKeyPair(path);
  return await readKeyPair(path);
}

async function readKeyPair(path: string): Promise<KeyPair> {
  const json = await Deno.readTextFile(path);
  try {
    return v.parse(keyPair, JSON.parse(json));
  } catch (cause) {
    throw new Error(`Cannot read the local issuer's key file "${path}"`, { cause });
  }
}

/**
 * Writes a new pair to a temporary file and links it into place, which only the first process can
 * do.
 */
async function publishKeyPair(path: string): Promise<void> {
  const temporary = `${path}.${crypto.randomUUID()}`;
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  const json = JSON.stringify(await exportJWK(privateKey));
  await Deno.writeTextFile(temporary, json, { mode: 0o600, createNew: true });
  try {
    await Deno.link(temporary, path);
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  } finally {
    await Deno.remove(temporary);
  }
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
