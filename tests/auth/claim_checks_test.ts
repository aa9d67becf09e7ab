import { checkAudience, checkIssuer } from "../../src/auth/claim_checks.ts";
import { InvalidToken, type TokenHint } from "../../src/auth/token_errors.ts";
import { assertEquals, assertThrows } from "../assert.ts";

const RULES = { audiences: ["https://recto.test", "app-1"], audienceClaim: "client_id" };

function rejection(check: (claims: ReadonlyMap<string, unknown>) => void, claims: object) {
  const error = assertThrows(() => check(new Map(Object.entries(claims))), InvalidToken);
  const told: readonly [string, TokenHint] = [error.message, error.hint];
  return told;
}

const audience = (claims: ReadonlyMap<string, unknown>) => checkAudience(claims, RULES);

Deno.test("checkAudience() accepts each audience, alone or in a list", () => {
  for (const aud of ["https://recto.test", "app-1", ["x", "app-1"]]) {
    audience(new Map(Object.entries({ aud })));
  }
  audience(new Map([["client_id", "app-1"]]));
});

Deno.test("checkAudience() judges a token that has aud by it, whatever stands in its place elsewhere", () => {
  const [reason, hint] = rejection(audience, { aud: "https://other.test", client_id: "app-1" });
  assertEquals([reason, hint], ["The aud claim does not name this service", "wrong_audience"]);
  for (const aud of [null, "", [], {}, ["https://recto.test/"], [["app-1"]], "app-", "APP-1"]) {
    rejection(audience, { aud, client_id: "app-1" });
  }
});

Deno.test("checkAudience() names the claim that is missing or wrong", () => {
  assertEquals(rejection(audience, {}), ["The client_id claim is missing", "invalid"]);
  assertEquals(rejection(audience, { client_id: "app-2" }), [
    "The client_id claim does not name this service",
    "wrong_audience",
  ]);
});

Deno.test("checkIssuer() accepts the exact name alone", () => {
  const issuer = (claims: ReadonlyMap<string, unknown>) => checkIssuer(claims, "https://a.test");
  issuer(new Map([["iss", "https://a.test"]]));
  assertEquals(rejection(issuer, {}), ["The iss claim is missing", "invalid"]);
  for (const iss of ["https://a.test/", "HTTPS://A.TEST", ["https://a.test"], null, ""]) {
    assertEquals(rejection(issuer, { iss }), [
      "The iss claim names another issuer",
      "unknown_issuer",
    ]);
  }
});
