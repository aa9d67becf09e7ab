import fc from "fast-check";
import {
  generateApiKey,
  hashApiKey,
  holdsApiKey,
  isApiKey,
} from "../../src/auth/api_key_format.ts";
import { assert, assertEquals, assertMatch } from "../assert.ts";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

Deno.test("generateApiKey() makes different keys of the documented form", () => {
  const keys = Array.from({ length: 1_000 }, generateApiKey);
  for (const key of keys) {
    assertMatch(key, /^recto_[0-9A-Za-z]{38}$/);
    assert(isApiKey(key), key);
  }
  assertEquals(new Set(keys).size, keys.length);
});

Deno.test("generateApiKey() uses every character about equally often", () => {
  const counts = new Map<string, number>();
  const keys = 2_000;
  for (let n = 0; n < keys; n++) {
    for (const character of generateApiKey().slice(6, 38)) {
      counts.set(character, (counts.get(character) ?? 0) + 1);
    }
  }
  assertEquals(counts.size, 62);
  const expected = keys * 32 / 62;
  // Seven standard deviations: it fails once in billions of runs.
  const tolerance = 7 * Math.sqrt(expected);
  for (const [character, count] of counts) {
    assert(Math.abs(count - expected) < tolerance, `${character}: ${count} of ${expected}`);
  }
});

Deno.test("isApiKey() knows the checksum that docs/tokens.md describes", () => {
  // CRC-32 of the first 38 characters in base 62, computed by another implementation.
  const body = `recto_${"0".repeat(32)}`;
  assertEquals([isApiKey(`${body}4LUI7f`), isApiKey(`${body}4LUI7g`)], [true, false]);
});

Deno.test("isApiKey() refuses every key with one wrong character", () => {
  fc.assert(fc.property(
    fc.nat(43),
    fc.constantFrom(...ALPHABET, "_", " ", ".", "é", "\n"),
    (at, character) => {
      const key = generateApiKey();
      fc.pre(key[at] !== character);
      assertEquals(isApiKey(key.slice(0, at) + character + key.slice(at + 1)), false);
    },
  ));
});

Deno.test("isApiKey() refuses keys that were cut off, extended, or had two neighbours exchanged", () => {
  fc.assert(fc.property(fc.integer({ min: 6, max: 42 }), (at) => {
    const key = generateApiKey();
    const [first = "", second = ""] = key.slice(at, at + 2);
    assertEquals(isApiKey(key.slice(0, at)), false);
    assertEquals(isApiKey(key + first), false);
    fc.pre(first !== second);
    assertEquals(isApiKey(key.slice(0, at) + second + first + key.slice(at + 2)), false);
  }));
});

Deno.test("isApiKey() refuses any other text", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
    assertEquals(isApiKey(text), false);
  }));
});

Deno.test("holdsApiKey() tells API keys from tokens, however the field is written", () => {
  const key = generateApiKey();
  for (const field of [`Bearer ${key}`, `bearer   ${key}`, ` BEARER recto_`, "Bearer RECTO_x"]) {
    assertEquals(holdsApiKey(field), true, field);
  }
  for (
    const field of [null, "", key, `Basic ${key}`, "Bearer eyJ", `DPoP ${key}`, "Bearer recto"]
  ) {
    assertEquals(holdsApiKey(field), false, String(field));
  }
});

Deno.test("hashApiKey() is the SHA-256 in hexadecimal", () => {
  assertEquals(
    hashApiKey("abc"),
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  );
});
