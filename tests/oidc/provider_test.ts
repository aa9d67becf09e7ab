/**
 * The service with a real provider: oidc-provider issues the tokens, openid-client gets them.
 *
 * @module
 */
import { assert, assertEquals } from "../assert.ts";
import { type TestApp, withApp } from "../support/app.ts";
import { MACHINE, RECTO, RECTO_CLIENT, type TestProvider, withProvider } from "./provider.ts";

interface Setup extends TestApp {
  readonly provider: TestProvider;
  readonly clock: { now: number };
  /** Calls `GET /v2/users/me`; the status, and what is told of an error. */
  me(token: string | undefined): Promise<{ readonly status: number; readonly json: Me }>;
}

interface Me {
  readonly id: string;
  readonly type: string;
  readonly detail: string;
}

const INTROSPECTION = {
  RECTO_AUTH_CLIENT_ID: RECTO_CLIENT.client_id,
  RECTO_AUTH_CLIENT_SECRET: RECTO_CLIENT.client_secret,
};

/** Runs a test with the service and a provider whose tokens it accepts, by the recipe's settings. */
function withBoth(test: (setup: Setup) => Promise<void>): Promise<void> {
  return withProvider((provider) => {
    const clock = { now: Date.now() };
    const environment = {
      RECTO_AUTH_ISSUER: provider.issuer,
      RECTO_AUTH_AUDIENCE: RECTO,
      RECTO_AUTH_INTROSPECTION_URL: `${provider.issuer}/token/introspection`,
      ...INTROSPECTION,
    };
    return withApp((app) => {
      const me = async (token: string | undefined) => {
        assert(token !== undefined);
        const { status, json } = await app.call("GET /v2/users/me", { token });
        return { status, json };
      };
      return test({ ...app, provider, clock, me });
    }, { environment, now: () => clock.now });
  });
}

Deno.test("a user signs in by the code flow, and the JWT is verified with the provider's keys", () =>
  withBoth(async ({ provider, me, call }) => {
    const { access_token, id_token } = await provider.signIn("ada");
    assertEquals(access_token.split(".").length, 3);
    const { status, json } = await me(access_token);
    assertEquals([status, json.type], [200, "person"]);
    const write = await call("POST /v2/pages", { token: access_token, body: {} });
    assertEquals([write.status, write.json.missing_scopes], [403, ["pages.write"]]);
    assertEquals((await me(id_token)).status, 401);
    const again = await provider.signIn("ada");
    assertEquals((await me(again.access_token)).json.id, json.id);
    assert((await me((await provider.signIn("bob")).access_token)).json.id !== json.id);
  }));

Deno.test("a client that acts for itself is one bot, whether its token is a JWT or opaque", () =>
  withBoth(async ({ provider, me }) => {
    const jwt = await me((await provider.clientCredentials()).access_token);
    provider.format = "opaque";
    const { access_token } = await provider.clientCredentials();
    assertEquals(access_token.split(".").length, 1);
    const opaque = await me(access_token);
    assertEquals([jwt.status, jwt.json.type, opaque.status], [200, "bot", 200]);
    assertEquals(opaque.json, jwt.json);
  }));

Deno.test("a client named after a user's sub does not become that user", () =>
  withBoth(async ({ provider, me }) => {
    const bot = await me((await provider.clientCredentials()).access_token);
    const person = await me((await provider.signIn(MACHINE)).access_token);
    assertEquals([bot.json.type, person.json.type], ["bot", "person"]);
    assert(bot.json.id !== person.json.id);
  }));

Deno.test("opaque tokens are introspected while JWTs are verified, for the same user", () =>
  withBoth(async ({ provider, me }) => {
    const jwt = await provider.signIn("ada");
    provider.format = "opaque";
    const opaque = await provider.signIn("ada");
    const users = [await me(jwt.access_token), await me(opaque.access_token)];
    assertEquals(users.map(({ status }) => status), [200, 200]);
    assertEquals(users[0]?.json.id, users[1]?.json.id);
  }));

Deno.test("a revoked opaque token and a used refresh token open nothing", () =>
  withBoth(async ({ provider, me, clock }) => {
    provider.format = "opaque";
    const { access_token, refresh_token = "" } = await provider.signIn("ada");
    assertEquals((await me(access_token)).status, 200);
    assertEquals((await me(refresh_token)).status, 401, "a refresh token is not an access token");
    const refreshed = await provider.refresh(refresh_token);
    assertEquals((await me(refreshed.access_token)).status, 200);
    await provider.revoke(access_token);
    clock.now += 60_000;
    const { status, json } = await me(access_token);
    assertEquals([status, json.detail], [401, "The access token is invalid or has expired."]);
  }));

Deno.test("when the provider rotates its keys, new tokens are accepted at once and old ones refused", () =>
  withBoth(async ({ provider, me, clock }) => {
    const old = (await provider.clientCredentials()).access_token;
    assertEquals((await me(old)).status, 200);
    await provider.rotate();
    assertEquals((await me((await provider.clientCredentials()).access_token)).status, 200);
    clock.now += 60_000;
    const { status, json } = await me(old);
    assertEquals([status, json.detail], [
      401,
      "The access token is signed with a key that its issuer does not publish.",
    ]);
  }));

Deno.test("no shape of a token makes the service unavailable, or is logged as an error", () =>
  withBoth(async ({ provider, me, lines, call }) => {
    const { access_token, id_token = "" } = await provider.signIn("ada");
    const [header = "", payload = "", signature = ""] = access_token.split(".");
    const encode = (value: unknown) =>
      btoa(JSON.stringify(value)).replace(/=+$/, "").replaceAll("+", "-").replaceAll("/", "_");
    const shapes = [
      ...["opaque", "a.b.c", "..", "ey.a.b", "eyJ.a.b", "é", `${header}.${payload}`, id_token],
      ...[`${access_token}.`, `${header}.${payload}.${signature.slice(1)}`, `${header}..`],
      `${encode({ alg: "none" })}.${payload}.${signature}`,
      `${encode({ alg: "HS256", typ: "at+jwt", kid: "x" })}.${payload}.${signature}`,
      `${encode({ alg: "RS256", typ: "at+jwt", kid: "x" })}.${encode({ iss: "x" })}.AAAA`,
      `${encode({ alg: "dir", enc: "A256GCM" })}.AA.AA.AA.AA`,
      "A".repeat(8 * 1024),
    ];
    for (const shape of shapes) {
      const { status } = await call("GET /v2/users/me", {
        token: null,
        headers: { authorization: `Bearer ${shape}` },
      }).catch(() => ({ status: 401 }));
      assert(status === 401 || status === 400, `${shape}: ${status}`);
    }
    assertEquals(lines.filter(({ level }) => level === "error"), []);
    assertEquals((await me(access_token)).status, 200);
    assertEquals((await call("GET /readyz", { token: null })).status, 200);
  }));

Deno.test("if the issuer signs no tokens, JWTs that it cannot introspect are refused, not a failure", () =>
  withProvider((provider) =>
    withApp(async ({ call, lines }) => {
      const { access_token } = await provider.clientCredentials();
      const refused = await call("GET /v2/users/me", { token: access_token });
      assertEquals(refused.status, 401);
      assertEquals(lines.at(-1)?.reason, "The issuer cannot introspect this token");
      provider.format = "opaque";
      const opaque = await provider.clientCredentials();
      assertEquals((await call("GET /v2/users/me", { token: opaque.access_token })).status, 200);
      assertEquals((await call("GET /readyz", { token: null })).status, 200);
    }, {
      environment: {
        RECTO_AUTH_ISSUER: provider.issuer,
        RECTO_AUTH_AUDIENCE: RECTO,
        RECTO_AUTH_JWKS_URL: "none",
        RECTO_AUTH_INTROSPECTION_URL: `${provider.issuer}/token/introspection`,
        ...INTROSPECTION,
      },
    })
  ));

Deno.test("a wrong client secret for introspection fails opaque tokens alone, and readiness", () =>
  withProvider((provider) =>
    withApp(async ({ call }) => {
      const jwt = await provider.clientCredentials();
      provider.format = "opaque";
      const opaque = await provider.clientCredentials();
      assertEquals((await call("GET /v2/users/me", { token: opaque.access_token })).status, 503);
      assertEquals((await call("GET /v2/users/me", { token: jwt.access_token })).status, 200);
      const { status, json } = await call("GET /readyz", { token: null });
      assertEquals([status, json.detail], [
        503,
        "Not ready: token introspection rejects the credentials of this service",
      ]);
    }, {
      environment: {
        RECTO_AUTH_ISSUER: provider.issuer,
        RECTO_AUTH_AUDIENCE: RECTO,
        RECTO_AUTH_INTROSPECTION_URL: `${provider.issuer}/token/introspection`,
        RECTO_AUTH_CLIENT_ID: "recto",
        RECTO_AUTH_CLIENT_SECRET: "wrong",
      },
    })
  ));

Deno.test("a client learns from the metadata alone which token to request, and gets one that works", () =>
  withBoth(async ({ provider, call, me }) => {
    const first = await call("GET /v2/users/me", { token: null });
    const field = first.headers.get("www-authenticate") ?? "";
    const [, url = ""] = /resource_metadata="([^"]+)"/.exec(field) ?? [];
    const { json } = await call(`GET ${new URL(url).pathname}`, { token: null });
    assertEquals([json.resource, json.authorization_servers], [RECTO, [provider.issuer]]);
    const scope = json.scopes_supported.find((one: string) => one === "users.read");
    assertEquals((await me((await provider.clientCredentials(scope)).access_token)).status, 200);
  }));
