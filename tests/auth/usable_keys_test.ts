import type { JWK } from "jose";
import { usableKeys } from "../../src/auth/usable_keys.ts";
import { assertEquals, assertThrows } from "../assert.ts";
import { KEY, makeRsaKey } from "./support.ts";

const RSA = await makeRsaKey("main", 2048);

/** Returns whether a key survives beside one that does. */
function isKept(key: JWK): boolean {
  return usableKeys({ keys: [KEY.jwk, key] }).keys.length === 2;
}

Deno.test("usableKeys() keeps public keys for signatures", () => {
  for (const key of [KEY.jwk, RSA.jwk, { ...RSA.jwk, e: "Aw" }, { kty: "OKP", crv: "Ed25519" }]) {
    assertEquals(isKept(key), true, JSON.stringify(key));
  }
});

Deno.test("usableKeys() drops keys for encryption, secrets and private keys", () => {
  const secret = { kty: "oct", k: "AAAA" };
  for (const key of [{ ...KEY.jwk, use: "enc" }, secret, { ...KEY.jwk, d: "AAAA" }]) {
    assertEquals(isKept(key), false, JSON.stringify(key));
  }
});

Deno.test("usableKeys() drops types and curves of other algorithms", () => {
  const kinds = ["", "constructor", "AKP"].map((kty) => ({ ...KEY.jwk, kty }));
  const curves = ["secp256k1", "", "Ed448"].map((crv) => ({ ...KEY.jwk, crv }));
  for (const key of [...kinds, ...curves, { kty: "OKP", crv: "X25519" }, {}]) {
    assertEquals(isKept(key), false, JSON.stringify(key));
  }
});

Deno.test("usableKeys() drops RSA keys that are short or have a bad exponent", async () => {
  const short = await makeRsaKey("main", 1024);
  assertEquals(isKept(short.jwk), false);
  const padded = `${"A".repeat(172)}${short.jwk.n}`;
  assertEquals(isKept({ ...short.jwk, n: padded }), false);
  for (const e of ["AQ", "Ag", "AAAB", "AA", "", "AQAC", "!"]) {
    assertEquals(isKept({ ...RSA.jwk, e }), false, e);
  }
});

Deno.test("usableKeys() requires a JWKS with a usable key", () => {
  const documents = [null, [], "x", {}, { keys: {} }, { keys: [1] }, { keys: [] }, { keys: [{}] }];
  for (const document of documents) assertThrows(() => usableKeys(document), Error);
});
