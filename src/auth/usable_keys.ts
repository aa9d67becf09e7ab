import * as base64url from "jose/base64url";
import type { JSONWebKeySet } from "jose";
import * as v from "valibot";

const keySet = v.object({ keys: v.array(v.record(v.string(), v.unknown())) });
const member = v.string();
const MIN_RSA_BITS = 2048;

/** The members of a JSON Web Key, not checked yet. */
export type Jwk = v.InferOutput<typeof keySet>["keys"][number];

const IS_STRONG: ReadonlyMap<unknown, (jwk: Jwk) => boolean> = new Map([
  ["RSA", isStrongRsa],
  ["EC", (jwk: Jwk) => ["P-256", "P-384", "P-521"].includes(String(jwk.crv))],
  ["OKP", (jwk: Jwk) => jwk.crv === "Ed25519"],
]);

/**
 * Returns the keys of a JWKS document that may verify tokens.
 *
 * Leaves out encryption keys, symmetric keys, private keys, unknown types and weak RSA keys. Throws
 * if the document is not a JWKS or no key is left.
 */
export function usableKeys(document: unknown): JSONWebKeySet {
  if (!v.is(keySet, document)) throw new Error('Expected a JWKS, {"keys":[{…}]}');
  const keys = document.keys.filter(isUsable);
  if (keys.length === 0) throw new Error("The JWKS has no public key to verify tokens with");
  // Each key has a `kty` by now; jose checks the other members when it imports the key.
  return { keys } as JSONWebKeySet;
}

function isUsable(jwk: Jwk): boolean {
  if (jwk.use !== undefined && jwk.use !== "sig") return false;
  // A published private key is compromised.
  if (jwk.d !== undefined) return false;
  return isStrongKey(jwk);
}

/** Returns whether it is a key of an accepted type and curve, and of RSA long enough. */
export function isStrongKey(jwk: Jwk): boolean {
  return IS_STRONG.get(jwk.kty)?.(jwk) ?? false;
}

function isStrongRsa(jwk: Jwk): boolean {
  try {
    const modulus = toInteger(jwk.n);
    const exponent = toInteger(jwk.e);
    return modulus.toString(2).length >= MIN_RSA_BITS && exponent >= 3n && exponent % 2n === 1n;
  } catch {
    return false;
  }
}

function toInteger(value: unknown): bigint {
  const bytes = base64url.decode(v.parse(member, value));
  return BigInt(`0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`);
}
