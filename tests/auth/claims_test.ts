import fc from "fast-check";
import { toPrincipal } from "../../src/auth/claims.ts";
import { InvalidToken } from "../../src/auth/token_errors.ts";
import type { Principal } from "../../src/auth/principal.ts";
import { assertEquals, assertMatch, assertNotEquals, assertThrows } from "../assert.ts";
import { RULES } from "./support.ts";

function principal(claims: Readonly<Record<string, unknown>>, issuer = RULES.issuer): Principal {
  return toPrincipal(new Map(Object.entries({ sub: "ada", ...claims })), 1, { ...RULES, issuer });
}

function scopes(claims: Readonly<Record<string, unknown>>): string[] {
  return [...principal(claims).scopes];
}

Deno.test("toPrincipal() reads scopes from scope or scp", () => {
  assertEquals(scopes({ scope: "a b" }), ["a", "b"]);
  assertEquals(scopes({ scope: "  a   b a " }), ["a", "b"]);
  assertEquals(scopes({ scp: "a b" }), ["a", "b"]);
  assertEquals(scopes({ scp: ["a", "b"] }), ["a", "b"]);
  assertEquals(scopes({ scope: "a", scp: ["b"] }), ["a"]);
  assertEquals(scopes({ scope: "" }), []);
  assertEquals(scopes({}), []);
});

Deno.test("toPrincipal() does not match parts or extensions of scopes", () => {
  const held = principal({ scope: "pages.writeX pages PAGES.WRITE\tpages.write" }).scopes;
  assertEquals(held.has("pages.write"), false);
});

Deno.test("toPrincipal() rejects scopes of another type", () => {
  for (const claims of [{ scope: null }, { scp: 1 }, { scp: ["a", 1] }, { scope: { a: true } }]) {
    assertThrows(() => principal(claims), InvalidToken);
  }
});

Deno.test("toPrincipal() takes the workspace from its claim, or else the default", () => {
  assertEquals(principal({ workspace_id: "acme" }).workspace, "acme");
  assertEquals(principal({}).workspace, "default");
  for (const workspace_id of ["", null, 7, ["acme"], "x".repeat(201), "a\0"]) {
    assertThrows(() => principal({ workspace_id }), InvalidToken);
  }
});

Deno.test("toPrincipal() returns a bot for a client that is its own subject", () => {
  assertEquals(principal({ client_id: "ada" }).type, "bot");
  assertEquals(principal({ azp: "ada" }).type, "bot");
  assertEquals(principal({ client_id: "app", azp: "app" }).type, "person");
  assertEquals(principal({}).type, "person");
});

Deno.test("toPrincipal() takes name, e-mail and picture if they are valid texts", () => {
  const { name, email, avatarUrl } = principal({
    name: "Ada",
    email: "ada@recto.test",
    picture: "https://recto.test/ada.png",
  });
  assertEquals([name, email, avatarUrl], ["Ada", "ada@recto.test", "https://recto.test/ada.png"]);
  const bad = [undefined, null, 7, "a\0", "\ud800", {}];
  for (const value of bad) assertEquals(textsOf(value), [null, null, null]);
  assertEquals(textsOf("x".repeat(200)).slice(0, 2), ["x".repeat(200), "x".repeat(200)]);
  assertEquals(textsOf("x".repeat(201)), [null, null, null]);
});

Deno.test("toPrincipal() distinguishes an empty name, e-mail or picture from a missing one", () =>
  assertEquals(textsOf(""), ["", "", ""]));

function textsOf(value: unknown): (string | null)[] {
  const { name, email, avatarUrl } = principal({ name: value, email: value, picture: value });
  return [name, email, avatarUrl];
}

Deno.test("toPrincipal() accepts only web URLs as a picture, up to 2000 characters", () => {
  const base = "https://recto.test/";
  const longest = base + "x".repeat(2000 - base.length);
  assertEquals(principal({ picture: longest }).avatarUrl, longest);
  for (const picture of [`${longest}x`, "javascript:alert(1)", "data:,x", "ada.png"]) {
    assertEquals(principal({ picture }).avatarUrl, null);
  }
});

Deno.test("toPrincipal() derives a UUID version 8 from issuer and subject", () => {
  const { userId, subjectHash } = principal({});
  assertEquals(userId, "3cfa8b03-c69b-8f89-9c94-90ee5b78a8af");
  assertEquals(subjectHash, "398604fda83ad081");
  fc.assert(fc.property(fc.string({ minLength: 1 }), fc.webUrl(), (sub, issuer) => {
    fc.pre(!sub.includes("\0") && sub !== "ada");
    const other = principal({ sub }, issuer);
    assertMatch(other.userId, /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    assertMatch(other.subjectHash, /^[\da-f]{16}$/);
    assertNotEquals(other.userId, userId);
    assertEquals(other.userId, principal({ sub, email: "x" }, issuer).userId);
    assertEquals(other.userId.replaceAll("-", "").startsWith(other.subjectHash), false);
  }));
});

Deno.test("toPrincipal() takes the client for the subject of a token without one", () => {
  const { clientId: client, type, userId } = principal({ sub: "app", client_id: "app" });
  assertEquals([client, type], ["app", "bot"]);
  const claims = new Map(Object.entries({ client_id: "app" }));
  assertEquals(toPrincipal(claims, 1, RULES).userId, userId);
  assertThrows(() => toPrincipal(new Map(), 1, RULES), InvalidToken, "no claim names the client");
});

Deno.test("toPrincipal() never takes a client for the person whose subject it is named after", () => {
  const ada = principal({ sub: "ada", client_id: "app" });
  const client = principal({ sub: "ada", client_id: "ada" });
  assertNotEquals(client.userId, ada.userId);
  assertNotEquals(client.subjectHash, ada.subjectHash);
});

Deno.test("toPrincipal() returns a bot for a machine whose subject is not its client", () => {
  const machines = [
    { sub: "app@clients", azp: "app" },
    { preferred_username: "service-account-app", azp: "app" },
    { idtyp: "app", azp: "app" },
  ];
  for (const claims of machines) assertEquals(principal(claims).type, "bot");
  const people = [
    { sub: "other@clients", azp: "app" },
    { preferred_username: "service-account-", azp: "app" },
    { idtyp: "user", azp: "app" },
  ];
  for (const claims of people) assertEquals(principal(claims).type, "person");
});

Deno.test("toPrincipal() rejects subjects that could be confused with another", () => {
  for (const sub of ["", "a\0b", "\ud800", null, 7]) {
    assertThrows(() => principal({ sub }), InvalidToken);
  }
});

Deno.test("toPrincipal() rejects a token that is bound to a key", () => {
  assertThrows(() => principal({ cnf: { jkt: "x" } }), InvalidToken, "bound");
});

Deno.test("toPrincipal() names the client by client_id, or else by azp", () => {
  assertEquals(principal({ client_id: "crm", azp: "other" }).clientId, "crm");
  assertEquals(principal({ azp: "spa" }).clientId, "spa");
  for (const claims of [{}, { client_id: 7 }, { client_id: "x".repeat(201) }]) {
    assertEquals(principal(claims).clientId, null);
  }
});

Deno.test("toPrincipal() derives pseudonyms with a key, so that nobody else can guess them", () => {
  const hashOf = (key?: string) =>
    toPrincipal(new Map([["sub", "ada"]]), 1, {
      ...RULES,
      issuer: "urn:issuer",
      ...(key !== undefined && { pseudonymKey: new TextEncoder().encode(key) }),
    }).subjectHash;
  assertEquals(new Set([hashOf(), hashOf("a"), hashOf("b")]).size, 3);
  assertEquals(hashOf("a"), hashOf("a"));
});
