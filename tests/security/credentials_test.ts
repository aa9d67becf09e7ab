import { TOKEN_HINTS, type TokenHint } from "../../src/auth/token_errors.ts";
import { assert, assertEquals } from "../assert.ts";
import { type Answer, withApp } from "../support/app.ts";
import { withServer } from "../support/socket.ts";
import { watchStore } from "../support/watched_store.ts";
import { lastRequest, outcome } from "./support.ts";

const METADATA = 'resource_metadata="http://recto.test/.well-known/oauth-protected-resource"';

function challengeOf({ headers }: Answer): string {
  return headers.get("www-authenticate") ?? "";
}

Deno.test("a request without credentials is told where tokens come from, and of no error", () =>
  withApp(async ({ call }) => {
    for (const authorization of [undefined, "Basic dTpw", "", "Digest x"]) {
      const headers = authorization === undefined ? {} : { authorization };
      const answer = await call("GET /v2/users/me", { token: null, headers });
      assertEquals(outcome(answer), "401 unauthorized", authorization);
      assertEquals(challengeOf(answer), `Bearer realm="recto", ${METADATA}`);
    }
  }));

Deno.test("a bad token is told what its caller can do about it, and nothing besides", () =>
  withApp(async ({ call, mint }) => {
    const good = await mint();
    const [head = "", claims = "", signature = ""] = good.split(".");
    const forged = signature.slice(0, -3);
    const bad: readonly (readonly [string, TokenHint])[] = [
      ["x", "invalid"],
      ["a.b.c", "invalid"],
      [`${head}.${claims}.`, "invalid"],
      [`${head}.${claims}.${forged}AAA`, "invalid"],
      [`${btoa('{"alg":"none","typ":"at+jwt"}').replaceAll("=", "")}.${claims}.`, "invalid"],
      [`${good}=`, "invalid"],
      ["A".repeat(9_000), "invalid"],
      [await mint({ now: Date.now() - 3_600_000 }), "expired"],
      [await mint({ now: Date.now() + 3_600_000 }), "not_yet_valid"],
    ];
    const headers = { "x-request-id": "same" };
    for (const [token, hint] of bad) {
      const answer = await call("GET /v2/users/me", { token, headers });
      assertEquals([outcome(answer), answer.json.detail], ["401 unauthorized", TOKEN_HINTS[hint]]);
      assertEquals(Object.keys(answer.json).toSorted(), [
        ...["code", "detail", "message", "object", "request_id", "status", "title", "type"],
      ]);
      const error = `error="invalid_token", error_description="${TOKEN_HINTS[hint]}"`;
      assert(challengeOf(answer).includes(`${METADATA}, ${error}`), challengeOf(answer));
    }
    assertEquals((await call("GET /v2/users/me", { token: good })).status, 200);
  }));

Deno.test("credentials that are malformed, given twice or in another place are refused", () =>
  withApp(async ({ call, mint }) => {
    const token = await mint();
    for (
      const value of [`Bearer ${token}, Bearer ${token}`, "Bearer", "Bearer  ", `Bearer ${token} x`]
    ) {
      const answer = await call("GET /v2/users/me", {
        token: null,
        headers: { authorization: value },
      });
      assertEquals(outcome(answer), "400 invalid_request", value);
      assert(challengeOf(answer).includes('error="invalid_request"'));
    }
    const inQuery = await call(`GET /v2/users/me?access_token=${token}`, { token: null });
    assertEquals(outcome(inQuery), "401 unauthorized");
    const inBoth = await call(`GET /v2/users/me?access_token=${token}`);
    assertEquals([outcome(inBoth), inBoth.json.errors[0].pointer], [
      "400 validation_error",
      "/access_token",
    ]);
    const anyCase = { authorization: `bEARER ${token}` };
    assertEquals((await call("GET /v2/users/me", { token: null, headers: anyCase })).status, 200);
  }));

Deno.test("two Authorization fields on the wire are one that is malformed", () =>
  withServer(async ({ exchange, mint, host }) => {
    const field = `Authorization: Bearer ${await mint()}`;
    const raw = lastRequest("GET /v2/users/me HTTP/1.1", [`Host: ${host}`, field, field]);
    assertEquals((await exchange(raw)).map(outcome), ["400 invalid_request"]);
  }));

Deno.test("a token without the scope is told which, in the body and in the challenge", () =>
  withApp(async ({ call, mint }) => {
    const token = await mint({ scope: "pages pages.readX PAGES.READ pages.write" });
    const answer = await call("GET /v2/pages/x", { token });
    assertEquals(outcome(answer), "403 forbidden");
    assertEquals(answer.json.required_scopes, ["pages.read"]);
    assertEquals(answer.json.missing_scopes, ["pages.read"]);
    assert(
      challengeOf(answer).includes(`${METADATA}, error="insufficient_scope", scope="pages.read"`),
    );
  }));

const PUBLIC = [
  ...["/v2/openapi.json", "/v2/openapi/meta", "/healthz", "/readyz"],
  ...["/metrics", "/.well-known/oauth-protected-resource"],
];

Deno.test("public routes answer the same bytes with any token, a bad one and none", async () => {
  const { store, calls } = watchStore();
  await withApp(async ({ call, mint }) => {
    const authorizations = [
      ...["Bearer x", "Bearer a, Bearer b", "Basic dTpw", "Bearer", `Bearer ${"A".repeat(9_000)}`],
      `Bearer ${await mint()}`,
      `Bearer ${await mint({ scope: "", workspace: "other" })}`,
    ];
    for (const path of PUBLIC) {
      const answerTo = async (given: Readonly<Record<string, string>>) => {
        const headers = { "x-request-id": "same", ...given };
        const answer = await call(`GET ${path}`, { token: null, headers });
        // What is measured differs from request to request, whoever asks.
        const text = path === "/metrics" ? "" : answer.text;
        return { status: answer.status, text, headers: [...answer.headers] };
      };
      const plain = await answerTo({});
      assertEquals(plain.status, 200, path);
      for (const authorization of authorizations) {
        assertEquals(await answerTo({ authorization }), plain, `${path} ${authorization}`);
      }
    }
    // A start looks through all workspaces for what a crash has left of uploads.
    const ofStart = ["secret", "nextWorkspace"];
    assertEquals(new Set(calls), new Set([...ofStart, "ping", "backlogs"]));
  }, { store });
});

Deno.test("public routes tell no version, and health is never stored, limited or refused", () =>
  withApp(async ({ call }) => {
    for (const path of PUBLIC) {
      const { headers } = await call(`GET ${path}`, { token: null });
      assertEquals([headers.get("server"), headers.get("x-powered-by")], [null, null], path);
    }
    for (let n = 0; n < 30; n++) {
      for (const path of ["/healthz", "/readyz", "/metrics"]) {
        const { status, headers } = await call(`GET ${path}`, { token: "x" });
        assertEquals([status, headers.get("cache-control")], [200, "no-store"]);
      }
    }
    assertEquals((await call("GET /healthz", { token: null })).json, { status: "alive" });
    const { json: ready } = await call("GET /readyz", { token: null });
    assertEquals(Object.keys(ready), ["status", "policy"]);
    assertEquals(Object.keys(ready.policy), ["digest", "document", "refused"]);
    const unlimited = await call("GET /healthz", { token: null, headers: { accept: "image/png" } });
    assertEquals(unlimited.status, 200);
  }, { environment: { RECTO_RATE_LIMIT: "1/s" } }));

Deno.test("the protected resource metadata names this origin and the header as the one place", () =>
  withApp(async ({ call }) => {
    const { json } = await call("GET /.well-known/oauth-protected-resource", { token: null });
    assertEquals(json.resource, "http://recto.test");
    assertEquals(json.bearer_methods_supported, ["header"]);
    assertEquals(json.scopes_supported.includes("users.email.read"), true);
    assertEquals(json.resource_name, "Recto");
    assertEquals(json.authorization_servers, undefined, "RFC 9728 section 3.2: no empty lists");
  }));

Deno.test("the protected resource metadata names the audience as the resource, if it is a URL", async () => {
  const resources = [
    ["http://recto.test", "http://recto.test"],
    ["https://api.recto.test", "https://api.recto.test"],
    ["11112222-bbbb-3333-cccc-4444dddd5555, https://api.recto.test", "https://api.recto.test"],
    ["https://api.recto.test, http://recto.test", "http://recto.test"],
    ["11112222-bbbb-3333-cccc-4444dddd5555", "http://recto.test"],
    ["https://api.recto.test#fragment", "http://recto.test"],
  ];
  for (const [audience = "", resource] of resources) {
    await withApp(async ({ call }) => {
      const { json } = await call("GET /.well-known/oauth-protected-resource", { token: null });
      assertEquals(json.resource, resource, audience);
      assertEquals(json.authorization_servers, ["https://issuer.test"]);
    }, {
      environment: { RECTO_AUTH_ISSUER: "https://issuer.test", RECTO_AUTH_AUDIENCE: audience },
    });
  }
});
