import { checkAccessToken, rejectOtherTokens } from "../../src/auth/access_tokens.ts";
import { InvalidToken } from "../../src/auth/token_errors.ts";
import { assertThrows } from "../assert.ts";
import { AUDIENCE, rulesOf } from "./support.ts";

const RULES = rulesOf({
  RECTO_AUTH_TOKEN_TYPES: "JWT",
  RECTO_AUTH_TOKEN_MARKERS: "azp, scp|idtyp=app",
});
const ACCESS = { aud: AUDIENCE, sub: "ada", azp: "notes", scp: "pages.read" };

function check(claims: object, rules = RULES): void {
  checkAccessToken(new Map(Object.entries(claims)), rules);
}

Deno.test("checkAccessToken() demands one condition of each list", () => {
  check(ACCESS);
  check({ aud: AUDIENCE, azp: "notes", idtyp: "app" });
  for (
    const claims of [
      { aud: AUDIENCE, scp: "pages.read" },
      { aud: AUDIENCE, azp: "notes" },
      { aud: AUDIENCE, azp: "notes", idtyp: "user" },
      { aud: AUDIENCE, azp: "notes", idtyp: ["app"] },
      { aud: AUDIENCE, azp: "notes", scp: null },
    ]
  ) assertThrows(() => check(claims), InvalidToken, "RECTO_AUTH_TOKEN_MARKERS");
  assertThrows(() => check(ACCESS, { ...RULES, markers: [] }), InvalidToken);
});

Deno.test("checkAccessToken() rejects a token whose audience is its client alone", () => {
  const aud = [AUDIENCE, "https://other.test"];
  check({ ...ACCESS, aud });
  for (const client of [{ azp: AUDIENCE }, { client_id: AUDIENCE }]) {
    assertThrows(() => check({ ...ACCESS, ...client }), InvalidToken, "names the client itself");
    assertThrows(() => check({ ...ACCESS, aud, ...client }), InvalidToken);
  }
  const several = { ...RULES, audiences: [AUDIENCE, "https://other.test"] };
  check({ ...ACCESS, aud, azp: AUDIENCE }, several);
});

Deno.test("checkAccessToken() rejects a token without a client", () => {
  const rules = { ...RULES, markers: [[{ claim: "scp" }]] };
  const { azp: _azp, ...anonymous } = ACCESS;
  for (const client of [undefined, null, "", 7, ["notes"]]) {
    const claims = { ...anonymous, ...(client !== undefined && { client_id: client }) };
    assertThrows(() => check(claims, rules), InvalidToken, "does not name its client");
  }
});

Deno.test("rejectOtherTokens() rejects what ID tokens and others have, even if it is null", () => {
  const reject = (claims: object) => rejectOtherTokens(new Map(Object.entries(claims)));
  for (
    const claim of [
      ...["nonce", "at_hash", "c_hash", "s_hash", "sub_jwk", "rat", "cognito:username", "events"],
      ...["htm", "htu", "token_introspection", "response_type", "redirect_uri"],
    ]
  ) {
    for (const value of ["x", "", null, {}]) {
      assertThrows(() => reject({ ...ACCESS, [claim]: value }), InvalidToken, claim);
    }
  }
  for (const claim of ["typ", "token_use", "token_type"]) {
    for (const value of ["ID", "id", "Refresh", "refresh_token", "Logout", "", null, ["Bearer"]]) {
      assertThrows(() => reject({ ...ACCESS, [claim]: value }), InvalidToken, claim);
    }
  }
  reject({ ...ACCESS, typ: "Bearer", token_use: "access", token_type: "bearer" });
  // RFC 9068 section 2.2 has these in access tokens.
  reject({ ...ACCESS, auth_time: 1, acr: "1", amr: ["pwd"], sid: "x", jti: "x", roles: ["x"] });
});
