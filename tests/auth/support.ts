/**
 * An issuer for tests: it signs whatever it is told to, also what no honest issuer would.
 *
 * @module
 */
import { base64url, exportJWK } from "jose";
import type { JWK } from "jose";
import { AppError } from "../../src/shared/errors.ts";
import { type Authenticator, createAuthenticator } from "../../src/auth/authenticator.ts";
import { createJwtVerifier } from "../../src/auth/jwt.ts";
import type { ClaimRules } from "../../src/auth/claims.ts";
import { createKeySet } from "../../src/auth/keys.ts";
import { InvalidToken, TOKEN_HINTS, type TokenHint } from "../../src/auth/token_errors.ts";
import { readConfig } from "../../src/config/config.ts";
import { ANONYMOUS, type Principal } from "../../src/auth/principal.ts";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "../assert.ts";
import { currentSettings, NO_SETTINGS, toShape } from "./settings.ts";
import { SETTING } from "./setting.ts";

export const NOW = Date.UTC(2027, 0, 15, 12);
export const SECONDS = NOW / 1000;
export const ISSUER = "https://issuer.test";
export const AUDIENCE = "https://recto.test";
export const RECTO_PUBLIC_URL = "https://recto.test";
/** Returns the rules of the issuer under these settings. */
export function rulesOf(environment: Readonly<Record<string, string>>): ClaimRules {
  const { tokens, workspaceClaim, defaultWorkspace } = readConfig((name) =>
    Reflect.get({ ...ISSUER_SETTINGS, ...environment }, name)
  );
  return { ...tokens, issuer: ISSUER, workspaceClaim, defaultWorkspace, ...SETTING.rules };
}

const ISSUER_SETTINGS = { RECTO_AUTH_ISSUER: ISSUER, RECTO_AUTH_AUDIENCE: AUDIENCE };

/** The rules of an issuer that needs no settings besides its name and audience. */
export const RULES = rulesOf({});

export interface TestKey {
  readonly jwk: JWK;
  readonly privateKey: CryptoKey;
  readonly sign: SignParameters;
}

type SignParameters = EcdsaParams | RsaPssParams | { readonly name: string };

const ES256 = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

export async function makeKey(kid: string): Promise<TestKey> {
  const pair = await crypto.subtle.generateKey(ES256, true, ["sign", "verify"]);
  const jwk = { ...await exportJWK(pair.publicKey), kid, alg: "ES256", use: "sig" };
  return { jwk, privateKey: pair.privateKey, sign: ES256 };
}

export async function makeRsaKey(kid: string, bits: number): Promise<TestKey> {
  const sign = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  const publicExponent = new Uint8Array([1, 0, 1]);
  const algorithm = { ...sign, modulusLength: bits, publicExponent };
  const pair = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const jwk = { ...await exportJWK(pair.publicKey), kid };
  return { jwk, privateKey: pair.privateKey, sign };
}

export const KEY = await makeKey("main");

export const HEADER = { alg: "ES256", typ: "at+jwt", kid: "main" };
export const CLAIMS = {
  iss: ISSUER,
  aud: AUDIENCE,
  sub: "ada",
  client_id: "app",
  iat: SECONDS,
  exp: SECONDS + 3600,
  jti: "1",
  scope: "pages.read blocks.read",
};

export interface Parts {
  /** A text is taken as it is, to write JSON that no object can hold. */
  readonly header?: Readonly<Record<string, unknown>> | string;
  readonly claims?: Readonly<Record<string, unknown>> | string;
  readonly key?: TestKey;
}

/** Signs a good token for the current settings, but for what is given. */
export async function mint({ header = HEADER, claims = CLAIMS, key = KEY }: Parts = {}): Promise<
  string
> {
  const input = `${encodePart(toShape("header", header))}.${encodePart(toShape("claims", claims))}`;
  const bytes = new TextEncoder().encode(input);
  const signature = await crypto.subtle.sign(key.sign, key.privateKey, bytes);
  return `${input}.${base64url.encode(new Uint8Array(signature))}`;
}

export function encodePart(part: unknown): string {
  return base64url.encode(typeof part === "string" ? part : JSON.stringify(part));
}

/** An authenticator that knows the given keys, `KEY` alone by default, under the current settings. */
export function makeAuthenticator(
  keys: readonly JWK[] = [KEY.jwk],
  rules: ClaimRules = rulesOf(currentSettings().environment),
): Authenticator {
  const keySet = createKeySet(() => Promise.resolve({ keys }));
  return createAuthenticator({
    publicUrl: RECTO_PUBLIC_URL,
    jwt: createJwtVerifier({ ...rules, keys: keySet }),
    ...(currentSettings().introspects && { opaque: acceptJwts }),
    ...SETTING.authenticator,
  });
}

/** An issuer that calls every JWT active, as none should that keys can judge. */
function acceptJwts(token: string): Promise<Principal> {
  const [header = "", ...others] = token.split(".");
  if (
    others.length !== 2 || !atob(header.replaceAll("-", "+").replaceAll("_", "/")).includes("alg")
  ) {
    return Promise.reject(new InvalidToken("The token is not active"));
  }
  return Promise.resolve(ANONYMOUS);
}

export const AUTHENTICATOR = makeAuthenticator();

function currentAuthenticator(): Authenticator {
  return currentSettings() === NO_SETTINGS ? AUTHENTICATOR : makeAuthenticator();
}

export interface Attempt {
  readonly authenticator?: Authenticator;
  readonly now?: number;
  readonly scheme?: string;
  /** The sentence that the caller must be told; default: any of them. */
  readonly hint?: TokenHint;
}

export async function accept(
  token: string,
  { authenticator = currentAuthenticator(), now = NOW, scheme = "Bearer" }: Attempt = {},
): Promise<Principal> {
  return await authenticator.authenticate(`${scheme} ${token}`, now);
}

/** Asserts that a token is rejected with the sentence of a hint, and nothing else. */
export async function refuse(token: string, attempt: Attempt = {}): Promise<AppError> {
  const [first] = await Promise.all(SETTING.schemes.map(async (scheme) => {
    const error = await assertRejects(() => accept(token, { ...attempt, scheme }), AppError);
    assertEquals(error.status, 401, `${error.message}: ${error.cause}`);
    const hints = attempt.hint === undefined
      ? Object.values(TOKEN_HINTS)
      : [TOKEN_HINTS[attempt.hint]];
    assert(hints.some((hint) => hint === error.message), error.message);
    const challenge = error.headers["WWW-Authenticate"] ?? "";
    assertStringIncludes(challenge, `error="invalid_token", error_description="${error.message}"`);
    assertEquals(error.members, {});
    return error;
  }));
  if (first === undefined) throw new Error("There is no scheme");
  return first;
}

/** Plays the issuer over HTTP for the time of a test. */
export async function withServer(
  handler: (request: Request) => Response | Promise<Response>,
  use: (origin: string) => Promise<void>,
): Promise<void> {
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, handler);
  try {
    await use(`http://127.0.0.1:${server.addr.port}`);
  } finally {
    await server.shutdown();
  }
}
