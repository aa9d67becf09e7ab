/**
 * A client that holds a key, for tests: it signs whatever proof it is told to, also a bad one.
 *
 * @module
 */
import { calculateJwkThumbprint } from "jose";
import type { JWK } from "jose";
import { createHash } from "node:crypto";
import { type Authenticator, createAuthenticator } from "../../../src/auth/authenticator.ts";
import { createNonces } from "../../../src/auth/dpop/nonces.ts";
import type { ProofGateOptions } from "../../../src/auth/dpop/proof_gate.ts";
import { createUsedProofs } from "../../../src/auth/dpop/used_proofs.ts";
import { createJwtVerifier } from "../../../src/auth/jwt.ts";
import { createKeySet } from "../../../src/auth/keys.ts";
import type { Principal } from "../../../src/auth/principal.ts";
import { AppError } from "../../../src/shared/errors.ts";
import { assertEquals, assertRejects, assertStringIncludes } from "../../assert.ts";
import {
  CLAIMS,
  KEY,
  makeKey,
  mint,
  NOW,
  RECTO_PUBLIC_URL,
  RULES,
  SECONDS,
  type TestKey,
} from "../support.ts";

export const PATH = "/v2/users/me";
export const NONCES = createNonces(new Uint8Array(32).fill(7));

/** The key of the client, in the form of a proof's header. */
export interface ClientKey {
  readonly jwk: JWK;
  readonly key: TestKey;
  readonly thumbprint: string;
}

export async function makeClientKey(): Promise<ClientKey> {
  return await toClientKey(await makeKey("client"));
}

/** The public key alone, without the members that an issuer adds. */
export async function toClientKey(key: TestKey): Promise<ClientKey> {
  const pair = await crypto.subtle.exportKey("jwk", key.privateKey);
  const { kty, crv, x, y, n, e } = pair;
  const members = Object.entries({ kty, crv, x, y, n, e }).filter(([, value]) => value);
  // Sound because these are the members of a public key.
  const jwk = Object.fromEntries(members) as JWK;
  return { jwk, key, thumbprint: await calculateJwkThumbprint(jwk) };
}

export const CLIENT = await makeClientKey();
/** An access token of the issuer that is bound to the key of the client. */
export const BOUND = await mint({ claims: { ...CLAIMS, cnf: { jkt: CLIENT.thumbprint } } });

export function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}

let count = 0;

/** The claims of a good proof for a GET of `PATH`, which was never sent before. */
export function proofClaims(token = BOUND): Record<string, unknown> {
  return {
    jti: `proof-${++count}`,
    htm: "GET",
    htu: `${RECTO_PUBLIC_URL}${PATH}`,
    iat: SECONDS,
    ath: hashOf(token),
  };
}

export const PROOF_HEADER = { typ: "dpop+jwt", alg: "ES256", jwk: CLIENT.jwk };

export interface ProofParts {
  readonly header?: Readonly<Record<string, unknown>> | string;
  readonly claims?: Readonly<Record<string, unknown>> | string;
  readonly key?: TestKey;
}

/** Signs a good proof, but for what is given. */
export function prove(
  { header = PROOF_HEADER, claims = proofClaims(), key = CLIENT.key }: ProofParts = {},
): Promise<string> {
  return mint({ header, claims, key });
}

/** An authenticator that accepts bound tokens; by default without nonces. */
export function makeDpopAuthenticator(
  options: Partial<ProofGateOptions> = {},
  keys: readonly JWK[] = [KEY.jwk],
): Authenticator {
  const keySet = createKeySet(() => Promise.resolve({ keys }));
  return createAuthenticator({
    publicUrl: RECTO_PUBLIC_URL,
    jwt: createJwtVerifier({ ...RULES, keys: keySet, acceptsBoundTokens: true }),
    dpop: { mode: "accept", usedProofs: createUsedProofs(), nonces: undefined, ...options },
  });
}

export interface Sent {
  readonly authenticator: Authenticator;
  readonly token?: string;
  readonly scheme?: string;
  readonly proof?: string | undefined;
  readonly method?: string;
  readonly path?: string;
  readonly now?: number;
}

/** The outcome of a request: its caller, and the nonce for the next proof. */
export interface Admitted {
  readonly caller: Principal;
  readonly nonce: string | undefined;
}

/** Sends a request as the pipeline sees it. */
export async function admit(sent: Sent): Promise<Admitted> {
  const { authenticator, token = BOUND, scheme = "DPoP", method = "GET", path = PATH } = sent;
  const { now = NOW, proof } = sent;
  const authorization = `${scheme} ${token}`;
  const caller = await authenticator.authenticate(authorization, now);
  if (caller.boundKey === undefined) return { caller, nonce: undefined };
  const request = { authorization, proof, method, path };
  return { caller, nonce: await authenticator.checkProof(caller, request, now) };
}

/** Asserts that a request is a 401, with this error code and reason if given, and returns it. */
export async function refuseProof(sent: Sent, code?: string, reason?: string): Promise<AppError> {
  const error = await assertRejects(() => admit(sent), AppError);
  assertEquals(error.status, 401, error.message);
  const challenge = error.headers["WWW-Authenticate"] ?? "";
  assertStringIncludes(challenge, code === undefined ? 'error="' : `error="${code}"`);
  if (reason !== undefined) assertEquals(error.reason, reason);
  return error;
}
