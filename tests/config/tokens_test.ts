import { ConfigError, readConfig } from "../../src/config/config.ts";
import { assertEquals, assertStringIncludes, assertThrows } from "../assert.ts";

const ISSUER = { RECTO_AUTH_ISSUER: "https://issuer.test", RECTO_AUTH_AUDIENCE: "a" };
type Variables = Readonly<Record<string, string>>;

function read(environment: Variables): ReturnType<typeof readConfig> {
  return readConfig((name) => Reflect.get({ ...ISSUER, ...environment }, name));
}

function issues(environment: Variables): string {
  return assertThrows(() => read(environment), ConfigError).issues.join();
}

Deno.test("readConfig() reads what tokens of an issuer look like", () => {
  const { tokens } = read({
    RECTO_AUTH_AUDIENCE: "https://recto.test , api",
    RECTO_AUTH_AUDIENCE_CLAIM: "client_id",
    RECTO_AUTH_TOKEN_TYPES: "AT+JWT, jwt,absent",
    RECTO_AUTH_TOKEN_MARKERS: "azp, scp | idtyp=app",
    RECTO_AUTH_SCOPE_CLAIM: "realm_access.roles,scp",
    RECTO_AUTH_SCOPE_PREFIX: "api://recto/",
    RECTO_AUTH_ACR_CLAIM: "acrs, acr",
    RECTO_AUTH_CLIENT_CLAIM: "cid",
    RECTO_AUTH_NAME_CLAIM: "nickname",
    RECTO_AUTH_EMAIL_CLAIM: "upn",
  });
  assertEquals(tokens, {
    types: ["at+jwt", "jwt", "absent"],
    markers: [[{ claim: "azp" }], [{ claim: "scp" }, { claim: "idtyp", value: "app" }]],
    audiences: ["https://recto.test", "api"],
    audienceClaim: "client_id",
    scopeClaims: ["realm_access.roles", "scp"],
    scopePrefix: "api://recto/",
    acrClaims: ["acrs", "acr"],
    clientClaims: ["cid"],
    nameClaim: "nickname",
    emailClaim: "upn",
  });
});

Deno.test("readConfig() rejects types that ID tokens share without a claim that they do not have", () => {
  for (const RECTO_AUTH_TOKEN_TYPES of ["JWT", "at+jwt, JWT", "absent"]) {
    assertStringIncludes(issues({ RECTO_AUTH_TOKEN_TYPES }), "RECTO_AUTH_TOKEN_MARKERS must name");
    for (const markers of ["sub", "azp", "nonce", "roles, aud", "scp|azp", "typ", "email|name"]) {
      const told = issues({ RECTO_AUTH_TOKEN_TYPES, RECTO_AUTH_TOKEN_MARKERS: markers });
      assertStringIncludes(told, "a claim that ID tokens do not have");
    }
    for (const markers of ["scp", "typ=Bearer|typ=DPoP", "azp, uid", "sub, token_use=access"]) {
      read({ RECTO_AUTH_TOKEN_TYPES, RECTO_AUTH_TOKEN_MARKERS: markers });
    }
  }
  read({ RECTO_AUTH_TOKEN_TYPES: "at+jwt" });
});

Deno.test("readConfig() rejects lists that it cannot read", () => {
  for (
    const [name, values] of Object.entries({
      RECTO_AUTH_TOKEN_TYPES: ["jws", "at+jwt JWT", "logout+jwt", "none", ","],
      RECTO_AUTH_TOKEN_MARKERS: ["scp=", "=x", "a b", "a||b", "a,,b", "a=b=c"],
      RECTO_AUTH_AUDIENCE: ["a b", "a,,b", ","],
      RECTO_AUTH_SCOPE_CLAIM: ["scope scp", ","],
      RECTO_AUTH_CLIENT_CLAIM: ["a b"],
      RECTO_AUTH_PLAIN_HTTP: ["yes"],
    })
  ) {
    for (const value of values) assertStringIncludes(issues({ [name]: value }), `${name} must be`);
  }
});

Deno.test("readConfig() rejects settings for another issuer's tokens without an issuer", () => {
  const settings = {
    RECTO_AUTH_TOKEN_TYPES: "at+jwt",
    RECTO_AUTH_TOKEN_MARKERS: "scp",
    RECTO_AUTH_AUDIENCE_CLAIM: "a",
    RECTO_AUTH_SCOPE_CLAIM: "a",
    RECTO_AUTH_SCOPE_PREFIX: "a",
    RECTO_AUTH_CLIENT_CLAIM: "a",
    RECTO_AUTH_NAME_CLAIM: "a",
    RECTO_AUTH_EMAIL_CLAIM: "a",
  };
  const local = { RECTO_AUTH_ISSUER: "", RECTO_AUTH_AUDIENCE: "" };
  for (const [name, value] of Object.entries(settings)) {
    const told = issues({ ...local, [name]: value });
    assertEquals(told, `RECTO_AUTH_ISSUER must be set if ${name} is`);
  }
  const several = issues({ ...local, RECTO_AUTH_AUDIENCE: "a, b" });
  assertStringIncludes(several, "one name with the local issuer");
});

Deno.test("readConfig() introspects all tokens only if the issuer signs none", () => {
  const introspection = {
    RECTO_AUTH_INTROSPECTION_URL: "https://issuer.test/introspect",
    RECTO_AUTH_CLIENT_ID: "id",
    RECTO_AUTH_CLIENT_SECRET: "secret",
  };
  const signs = (environment: Variables) => {
    const { auth } = read(environment);
    return auth.kind === "issuer" && auth.signsTokens;
  };
  assertEquals(signs({}), true);
  assertEquals(signs(introspection), true);
  assertEquals(signs({ ...introspection, RECTO_AUTH_JWKS_URL: "none" }), false);
  assertEquals(signs({ ...introspection, RECTO_AUTH_ISSUER: "urn:issuer" }), false);
  assertEquals(
    signs({ ...introspection, RECTO_AUTH_ISSUER: "urn:x", RECTO_AUTH_JWKS_FILE: "k" }),
    true,
  );
  assertStringIncludes(
    issues({ RECTO_AUTH_JWKS_URL: "none" }),
    "RECTO_AUTH_INTROSPECTION_URL must",
  );
});

Deno.test("readConfig() allows plain http only together with private networks", () => {
  assertStringIncludes(
    issues({ RECTO_AUTH_PLAIN_HTTP: "true" }),
    "RECTO_AUTH_PRIVATE_NETWORK must",
  );
  const { auth } = read({ RECTO_AUTH_PLAIN_HTTP: "true", RECTO_AUTH_PRIVATE_NETWORK: "true" });
  assertEquals(auth.kind === "issuer" && auth.plainHttp, true);
});
