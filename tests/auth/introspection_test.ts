import { createAuthenticator } from "../../src/auth/authenticator.ts";
import type { Fetch } from "../../src/auth/fetch_json.ts";
import { createIntrospectionVerifier } from "../../src/auth/introspection.ts";
import { AppError } from "../../src/shared/errors.ts";
import type { Principal } from "../../src/auth/principal.ts";
import { assertEquals, assertRejects } from "../assert.ts";
import {
  accept,
  AUDIENCE,
  mint,
  NOW,
  RECTO_PUBLIC_URL,
  refuse,
  RULES,
  SECONDS,
  withServer,
} from "./support.ts";
import { SETTING } from "./setting.ts";

const ACTIVE = {
  active: true,
  token_type: "Bearer",
  sub: "ada",
  scope: "pages.read",
  exp: SECONDS + 60,
};

function makeAuthenticator(fetch: Fetch): ReturnType<typeof createAuthenticator> {
  const opaque = createIntrospectionVerifier({
    ...RULES,
    url: "https://issuer.test/introspect",
    clientId: "re:cto",
    clientSecret: "s%+ é",
    fetch,
  });
  return createAuthenticator({ publicUrl: RECTO_PUBLIC_URL, opaque, ...SETTING.authenticator });
}

function answering(answer: unknown): ReturnType<typeof createAuthenticator> {
  return makeAuthenticator(() => Promise.resolve(Response.json(answer)));
}

function ask(answer: unknown): Promise<Principal> {
  return accept("opaque", { authenticator: answering(answer) });
}

Deno.test("createIntrospectionVerifier() sends a request as in RFC 7662", async () => {
  const calls: Request[] = [];
  const authenticator = makeAuthenticator((url, init) => {
    calls.push(new Request(url, init));
    return Promise.resolve(Response.json(ACTIVE));
  });
  await accept("a+b/c==", { authenticator });
  const [request] = calls;
  assertEquals(request?.method, "POST");
  assertEquals(request?.redirect, "error");
  const basic = `Basic ${btoa("re%3Acto:s%25%2B+%C3%A9")}`;
  assertEquals(request?.headers.get("authorization"), basic);
  assertEquals(await request?.text(), "token=a%2Bb%2Fc%3D%3D&token_type_hint=access_token");
});

Deno.test("createIntrospectionVerifier() accepts an active token and returns its caller", async () => {
  const principal = await ask(ACTIVE);
  assertEquals([principal.workspace, principal.expiresAt], ["default", NOW + 60_000]);
  assertEquals([...principal.scopes], ["pages.read"]);
  const { exp: _exp, ...endless } = ACTIVE;
  assertEquals((await ask(endless)).expiresAt, Infinity);
});

Deno.test("createIntrospectionVerifier() and the JWT verifier derive the same user ID", async () => {
  const { userId } = await ask(ACTIVE);
  assertEquals((await ask({ ...ACTIVE, iss: RULES.issuer, aud: AUDIENCE })).userId, userId);
});

Deno.test("createIntrospectionVerifier() takes the client for the subject of a token without one", async () => {
  const { sub: _sub, ...machine } = ACTIVE;
  const { type, clientId: client } = await ask({ ...machine, client_id: "n8n" });
  assertEquals([type, client], ["bot", "n8n"]);
});

Deno.test("createIntrospectionVerifier() rejects tokens that are not access tokens, whatever the issuer says", async () => {
  const bad: readonly Readonly<Record<string, unknown>>[] = [
    // As oidc-provider answers for a refresh token.
    { active: true, sub: "ada", scope: "pages.read" },
    ...["ID", "Refresh", "Offline"].map((typ) => ({ ...ACTIVE, typ })),
    ...["id", "refresh_token"].map((token_use) => ({ ...ACTIVE, token_use })),
    ...["id_token", "refresh_token", 1].map((token_type) => ({ ...ACTIVE, token_type })),
    ...["nonce", "at_hash", "c_hash"].map((claim) => ({ ...ACTIVE, [claim]: "x" })),
  ];
  for (const answer of bad) await refuse("opaque", { authenticator: answering(answer) });
  const { token_type: _type, ...untyped } = ACTIVE;
  await ask({ ...untyped, aud: AUDIENCE });
});

Deno.test("createIntrospectionVerifier() does not ask about an ID token", async () => {
  let asked = 0;
  const authenticator = makeAuthenticator(() => {
    asked++;
    return Promise.resolve(Response.json(ACTIVE));
  });
  const header = { alg: "RS256", kid: "k" };
  for (const claims of [{ at_hash: "x" }, { nonce: "n" }, { typ: "ID" }, { token_use: "id" }]) {
    await refuse(await mint({ header, claims }), { authenticator });
  }
  assertEquals(asked, 0);
  await accept(await mint({ header, claims: { sub: "ada" } }), { authenticator });
  assertEquals(asked, 1);
});

Deno.test("createIntrospectionVerifier() refuses a token that the issuer cannot introspect, and stays ready", async () => {
  const failures: unknown[] = [];
  const opaque = createIntrospectionVerifier({
    ...RULES,
    url: "https://issuer.test/introspect",
    clientId: "id",
    clientSecret: "s",
    fetch: () =>
      Promise.resolve(Response.json({ error: "unsupported_token_type" }, { status: 400 })),
    status: { record: (failure) => failures.push(failure) },
  });
  const authenticator = createAuthenticator({
    publicUrl: RECTO_PUBLIC_URL,
    opaque,
    ...SETTING.authenticator,
  });
  const { reason } = await refuse("opaque", { authenticator });
  assertEquals(reason, "The issuer cannot introspect this token");
  assertEquals(failures, []);
});

Deno.test("createIntrospectionVerifier() rejects tokens that are inactive or for another issuer or audience", async () => {
  const bad: readonly Readonly<Record<string, unknown>>[] = [
    { active: false },
    { ...ACTIVE, active: false },
    { ...ACTIVE, exp: SECONDS - 30 },
    { ...ACTIVE, exp: "soon" },
    { ...ACTIVE, nbf: SECONDS + 31 },
    { ...ACTIVE, iss: "https://other.test" },
    { ...ACTIVE, aud: "https://other.test" },
    { ...ACTIVE, aud: [] },
    { ...ACTIVE, sub: undefined },
    { ...ACTIVE, cnf: { jkt: "x" } },
  ];
  for (const answer of bad) await refuse("opaque", { authenticator: answering(answer) });
});

Deno.test("createIntrospectionVerifier() does not quote a response that is not JSON", async () => {
  const authenticator = makeAuthenticator(() => Promise.resolve(new Response("SECRET<html>")));
  const { cause } = await assertRejects(() => accept("opaque", { authenticator }), AppError);
  assertEquals(String(cause), 'Error: Expected JSON from "https://issuer.test/introspect"');
});

Deno.test("createIntrospectionVerifier() does not report a failing issuer as an invalid token", async () => {
  const failures: readonly Fetch[] = [
    () => Promise.reject(new TypeError("Down")),
    () => Promise.resolve(new Response(null, { status: 401 })),
    () => Promise.resolve(Response.json({ error: "invalid_client" }, { status: 400 })),
    () => Promise.resolve(new Response("<html>")),
    ...["active", null, {}, { active: "true" }, { active: 1 }].map((answer): Fetch => () =>
      Promise.resolve(Response.json(answer))
    ),
  ];
  for (const fetch of failures) {
    const attempt = { authenticator: makeAuthenticator(fetch) };
    const error = await assertRejects(() => accept("opaque", attempt), AppError);
    assertEquals([error.code, error.headers["Retry-After"]], ["service_unavailable", "5"]);
  }
});

Deno.test("createIntrospectionVerifier() calls an issuer over HTTP", async () => {
  const handle = async (request: Request): Promise<Response> => {
    const form = await request.formData();
    return Response.json({ ...ACTIVE, active: form.get("token") === "good" });
  };
  await withServer(handle, async (url) => {
    const options = { ...RULES, url, clientId: "recto", clientSecret: "s" };
    const opaque = createIntrospectionVerifier(options);
    const authenticator = createAuthenticator({
      publicUrl: RECTO_PUBLIC_URL,
      opaque,
      ...SETTING.authenticator,
    });
    assertEquals((await accept("good", { authenticator })).type, "person");
    await refuse("bad", { authenticator });
  });
});
