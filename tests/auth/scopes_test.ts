import { readGrants, readScopes } from "../../src/auth/scopes.ts";
import { InvalidToken } from "../../src/auth/token_errors.ts";
import { assertEquals, assertThrows } from "../assert.ts";

function scopes(claims: object, scopeClaims: readonly string[], scopePrefix = ""): string[] {
  return [...readScopes(new Map(Object.entries(claims)), { scopeClaims, scopePrefix })];
}

Deno.test("readScopes() reads a text, a list and the names of roles", () => {
  assertEquals(scopes({ scope: " a  b a" }, ["scope"]), ["a", "b"]);
  assertEquals(scopes({ permissions: ["a", "b"] }, ["permissions"]), ["a", "b"]);
  assertEquals(scopes({ realm_access: { roles: ["a"] } }, ["realm_access.roles"]), ["a"]);
  const roles = { "pages.read": { "1": "acme.test" }, "pages.write": { "1": "acme.test" } };
  assertEquals(scopes({ "urn:x:roles": roles }, ["urn:x:roles"]), ["pages.read", "pages.write"]);
  assertEquals(scopes({}, ["scope", "scp"]), []);
});

Deno.test("readScopes() takes the first claim alone, so that grants are never added up", () => {
  const claims = { scp: "pages.read", roles: ["pages.write"] };
  assertEquals(scopes(claims, ["scp", "roles"]), ["pages.read"]);
  assertEquals(scopes({ roles: ["pages.write"] }, ["scp", "roles"]), ["pages.write"]);
  assertEquals(scopes({ ...claims, scp: "" }, ["scp", "roles"]), []);
});

Deno.test("readScopes() removes the prefix, and drops scopes without it", () => {
  const scope = "api://recto/pages.read pages.write api://other/users.read openid";
  assertEquals(scopes({ scope }, ["scope"], "api://recto/"), ["pages.read"]);
});

Deno.test("readScopes() drops what is no well-formed text", () => {
  assertEquals(scopes({ scope: "pages.read \ud800 a\udc00" }, ["scope"]), ["pages.read"]);
  assertEquals(scopes({ roles: ["\ud800", "😀"] }, ["roles"]), ["😀"]);
});

Deno.test("readScopes() does not split an entry of a list", () => {
  assertEquals(scopes({ scp: ["pages.read pages.write"] }, ["scp"]), ["pages.read pages.write"]);
});

Deno.test("readScopes() rejects anything else", () => {
  const values = [null, 1, true, ["a", 1], [["a"]], { a: true }, { a: "x" }, { a: null }];
  for (const scope of values) assertThrows(() => scopes({ scope }, ["scope"]), InvalidToken);
});

function grants(claims: object, acrClaims: readonly string[] = ["acr"]): string[] {
  const rules = { scopeClaims: ["scope"], scopePrefix: "", acrClaims };
  return [...readGrants(new Map(Object.entries(claims)), rules)];
}

Deno.test("readGrants() adds how the user signed in, which no scope can claim", () => {
  assertEquals(grants({ scope: "a", acr: "mfa" }), ["a", "acr:mfa"]);
  assertEquals(grants({ scope: "a acr:mfa" }), ["a"]);
  assertEquals(grants({ scope: "a acr:mfa", acr: "pwd" }), ["a", "acr:pwd"]);
  assertEquals(grants({ acr: "urn:mace:incommon:iap:silver" }), [
    "acr:urn:mace:incommon:iap:silver",
  ]);
  assertEquals(grants({ acrs: ["c1", "c2"], acr: "1" }, ["acrs", "acr"]), ["acr:c1", "acr:c2"]);
});

Deno.test("readGrants() ignores values of acr that no policy can name", () => {
  for (const acr of [1, null, true, {}, "", "a b", "a,b", "*", 'a"', "\u00fc", ["a b", 1]]) {
    assertEquals(grants({ scope: "a", acr }), ["a"]);
  }
});
