import fc from "fast-check";
import { findClaim, findFirstClaim } from "../../src/auth/claim_path.ts";
import { assertEquals } from "../assert.ts";

function find(claims: object, path: string): unknown {
  return findClaim(new Map(Object.entries(claims)), path);
}

Deno.test("findClaim() finds a claim by name, and inside objects", () => {
  assertEquals(find({ scope: "a" }, "scope"), "a");
  assertEquals(find({ realm_access: { roles: ["a"] } }, "realm_access.roles"), ["a"]);
  assertEquals(find({ a: { b: { c: 1 } } }, "a.b.c"), 1);
  assertEquals(find({ a: { "b.c": 1 } }, "a.b.c"), 1);
  assertEquals(find({ "https://recto.test/ws": 1 }, "https://recto.test/ws"), 1);
  assertEquals(find({ "https://recto.test": { ws: 1 } }, "https://recto.test.ws"), 1);
});

Deno.test("findClaim() prefers the longest name", () => {
  assertEquals(find({ "a.b": 1, a: { b: 2 } }, "a.b"), 1);
  assertEquals(find({ "a.b": { c: 1 }, a: { "b.c": 2 } }, "a.b.c"), 1);
});

Deno.test("findClaim() finds nothing else: no member of a list, a text or a prototype", () => {
  const claims = { list: ["a"], text: "ab", object: {}, nothing: null };
  const paths = ["list.0", "list.length", "text.length", "object.constructor", "object.__proto__"];
  for (const path of [...paths, "constructor", "__proto__", "nothing.a", ".", "", "a..b"]) {
    assertEquals(find(claims, path), undefined, path);
  }
});

Deno.test("findClaim() finds any claim by the names on the way to it", () => {
  const name = fc.stringMatching(/^[a-z:/]{1,8}$/);
  fc.assert(fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), (names) => {
    const [first = "", ...others] = names;
    const inner = others.reduceRight<unknown>((value, key) => ({ [key]: value }), "found");
    assertEquals(findClaim(new Map([[first, inner]]), names.join(".")), "found");
  }));
});

Deno.test("findFirstClaim() returns the first claim that is there, even if it is empty", () => {
  const claims = new Map<string, unknown>([["scp", ""], ["roles", ["a"]]]);
  assertEquals(findFirstClaim(claims, ["scope", "scp", "roles"]), "");
  assertEquals(findFirstClaim(claims, ["scope"]), undefined);
});
