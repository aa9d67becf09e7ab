import { endpoints } from "../../src/api/endpoints.ts";
import { assert, assertEquals } from "../assert.ts";
import { withApp } from "../support/app.ts";
import { withServer } from "../support/socket.ts";
import { createPage, lastRequest, NEW_PAGE, outcome, UNKNOWN } from "./support.ts";

const get = (host: string, target: string, ...fields: string[]) =>
  lastRequest(`GET ${target} HTTP/1.1`, [`Host: ${host}`, ...fields]);

Deno.test("a method that is none of ours is a 501, in whatever case", () =>
  withServer(async ({ exchange, host }) => {
    for (const method of ["get", "Get", "patch", "TRACE", "FOO", "QUERY", "PRI", "CONNECTX"]) {
      const raw = lastRequest(`${method} /healthz HTTP/1.1`, [`Host: ${host}`]);
      assertEquals((await exchange(raw)).map(outcome), ["501 not_implemented"], method);
    }
  }));

Deno.test("a target or fields beyond their limits are refused, up to them taken", () =>
  withServer(async ({ exchange, host }) => {
    const many = (count: number) => Array.from({ length: count }, (_, n) => `X-${n}: 1`);
    const long = (size: number) => [`X: ${"x".repeat(size)}`];
    const outcomes = async (raw: string) => (await exchange(raw)).map(outcome);
    assertEquals(await outcomes(get(host, `/${"a".repeat(8_000)}`)), ["404 route_not_found"]);
    assertEquals(await outcomes(get(host, `/${"a".repeat(8_200)}`)), ["414 uri_too_long"]);
    assertEquals(await outcomes(get(host, `/healthz?${"a".repeat(8_200)}`)), ["414 uri_too_long"]);
    assertEquals(await outcomes(get(host, "/healthz", ...many(97))), ["200"]);
    assertEquals(await outcomes(get(host, "/healthz", ...many(101))), ["431 headers_too_large"]);
    assertEquals(await outcomes(get(host, "/healthz", ...long(16_000))), ["200"]);
    assertEquals(await outcomes(get(host, "/healthz", ...long(16_384))), ["431 headers_too_large"]);
  }));

Deno.test("HEAD has the status and fields of GET, and no body, whatever the answer", () =>
  withServer(async (wire) => {
    const { exchange, host } = wire;
    const fields = [
      `Host: ${host}`,
      `Authorization: Bearer ${await wire.mint()}`,
      "X-Request-Id: x",
    ];
    const id = await createPage(wire);
    const targets = [
      ...["/healthz", "/v2/openapi.json", "/v2/users/me", `/v2/pages/${id}`, "/nowhere"],
      ...[`/v2/pages/${UNKNOWN}`, "/v2/search", `/v2/blocks/${id}/children?page_size=x`],
    ];
    for (const target of targets) {
      const [asGet] = await exchange(lastRequest(`GET ${target} HTTP/1.1`, fields));
      const bodiless = { bodiless: true };
      const [asHead] = await exchange(lastRequest(`HEAD ${target} HTTP/1.1`, fields), bodiless);
      assert(asGet !== undefined && asHead !== undefined);
      assertEquals([asHead.status, asHead.text], [asGet.status, ""], target);
      const without = (headers: Headers) => [...headers].filter(([name]) => name !== "date");
      // 405 says which method was not allowed, so its length may differ.
      if (asGet.status !== 405) {
        assertEquals(without(asHead.headers), without(asGet.headers), target);
      }
    }
  }));

Deno.test("OPTIONS tells the methods of a path, to anybody", () =>
  withApp(async ({ call }) => {
    for (const path of new Set(endpoints.map((endpoint) => endpoint.path))) {
      const methods: string[] = endpoints.filter((endpoint) => endpoint.path === path)
        .map((endpoint) => endpoint.method);
      const all = [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].sort();
      const answer = await call(`OPTIONS ${path.replace(/:\w+/g, UNKNOWN)}`, { token: null });
      assertEquals([answer.status, answer.text], [204, ""], path);
      assertEquals(answer.headers.get("allow"), all.join(", "));
      assertEquals(answer.headers.has("accept-patch"), methods.includes("PATCH"));
      assertEquals(answer.headers.has("content-type"), false);
    }
  }));

Deno.test("every answer names its request, is not sniffed and is framed by nobody", () =>
  withApp(async (app) => {
    const id = await createPage(app);
    const etag = (await app.call(`GET /v2/pages/${id}`)).headers.get("etag") ?? "";
    const answers = [
      await app.call(`GET /v2/pages/${id}`),
      await app.call(`GET /v2/pages/${id}`, { headers: { "if-none-match": etag } }),
      await app.call("GET /v2/openapi.json", { token: null }),
      await app.call("OPTIONS /v2/pages"),
      await app.call("GET /v2/users/me", { token: null }),
      await app.call("GET /nowhere"),
      await app.call("PUT /v2/pages"),
      await app.call("GET /v2/users/me", { headers: { host: "a b" } }),
      await app.call("FOO /v2/pages"),
    ];
    assertEquals(answers.map(({ status }) => status), [
      200,
      304,
      200,
      204,
      401,
      404,
      405,
      400,
      501,
    ]);
    for (const { headers, status } of answers) {
      assert(headers.get("x-request-id"), `${status}`);
      assertEquals(headers.get("x-content-type-options"), "nosniff");
      assertEquals(
        headers.get("content-security-policy"),
        "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
      );
      assertEquals(headers.get("referrer-policy"), "no-referrer");
      assertEquals(headers.get("cross-origin-resource-policy"), "same-origin");
    }
  }));

Deno.test("a refusal is a problem whose members agree with its status line, and is not stored", () =>
  withApp(async ({ call }) => {
    const refusals = [
      await call("GET /nowhere"),
      await call("GET /v2/users/me", { token: null }),
      await call(`GET /v2/pages/${UNKNOWN}`),
      await call("POST /v2/pages", { body: "{" }),
      await call("POST /v2/pages", { body: {} }),
      await call("GET /v2/users/me", { headers: { accept: "text/html" } }),
    ];
    for (const { status, headers, json } of refusals) {
      assertEquals(headers.get("content-type"), "application/problem+json");
      assertEquals(headers.get("cache-control"), "no-store");
      assertEquals([json.object, json.status, json.message], ["error", status, json.detail]);
      assertEquals(json.type, `urn:recto:error:${json.code}`);
      assertEquals(json.request_id, headers.get("x-request-id"));
    }
  }));

Deno.test("answers to a token are private, the document is public, and 304 has no body", () =>
  withApp(async (app) => {
    const id = await createPage(app);
    const page = await app.call(`GET /v2/pages/${id}`);
    assertEquals(page.headers.get("cache-control"), "private, no-cache");
    const document = await app.call("GET /v2/openapi.json", { token: null });
    assertEquals(document.headers.get("cache-control"), "public, max-age=60, must-revalidate");
    for (
      const [path, etag] of [[`/v2/pages/${id}`, page], ["/v2/openapi.json", document]] as const
    ) {
      const headers = { "if-none-match": etag.headers.get("etag") ?? "" };
      const answer = await app.call(`GET ${path}`, { headers });
      assertEquals([answer.status, answer.text], [304, ""]);
      assertEquals(answer.headers.has("content-type"), false);
      for (const name of ["etag", "cache-control"]) {
        assertEquals(answer.headers.get(name), etag.headers.get(name));
      }
    }
  }));

Deno.test("a client that takes no JSON is a 406, one that takes it in any way is served", () =>
  withApp(async ({ call }) => {
    const status = async (accept: string) =>
      (await call("GET /v2/users/me", { headers: { accept } })).status;
    for (
      const accept of ["text/html", "application/json;q=0", "image/*", "application/xml, text/*"]
    ) {
      assertEquals(await status(accept), 406, accept);
    }
    const taken = [
      "*/*",
      "application/*",
      "text/html, */*;q=0.1",
      "application/problem+json",
      "APPLICATION/JSON",
      "application/json; charset=utf-8",
    ];
    for (const accept of taken) assertEquals(await status(accept), 200, accept);
  }));

Deno.test("a query parameter that is unknown or repeated is named", () =>
  withApp(async (app) => {
    const id = await createPage(app);
    const issues = async (query: string) => {
      const { status, json } = await app.call(`GET /v2/blocks/${id}/children?${query}`);
      assertEquals([status, json.code], [400, "validation_error"], query);
      return json.errors.map((issue: { pointer: string }) => issue.pointer).sort();
    };
    assertEquals(await issues("page_sise=1&x=2"), ["/page_sise", "/x"]);
    assertEquals(await issues("page_size=1&page_size=2"), ["/page_size"]);
    assertEquals(await issues("__proto__=1&constructor=2"), ["/__proto__", "/constructor"]);
    assertEquals(await issues("a/b=1&a/b=2"), ["/a~1b"]);
    assertEquals(await issues("PAGE_SIZE=1"), ["/PAGE_SIZE"]);
    assertEquals(await issues("_method=DELETE"), ["/_method"]);
  }));

Deno.test("without a list of origins no answer has a CORS field", () =>
  withApp(async ({ call }) => {
    for (const origin of ["https://any.test", "null", "chrome-extension://x"]) {
      for (const route of ["GET /v2/users/me", "OPTIONS /v2/pages", "GET /nowhere"]) {
        const headers = { origin, "access-control-request-method": "POST" };
        const answer = await call(route, { headers });
        const cors = [...answer.headers.keys()].filter((name) =>
          /^access-control|^vary/.test(name)
        );
        assertEquals(cors, [], `${origin} ${route}`);
      }
    }
  }));

Deno.test("an origin of the list is served to the letter, errors too, and no other is", () =>
  withApp(async ({ call }) => {
    const allowed = "https://ours.test";
    for (const route of ["GET /v2/users/me", "GET /nowhere", "PUT /v2/pages", "POST /v2/pages"]) {
      for (const token of [undefined, null]) {
        const answer = await call(route, {
          headers: { origin: allowed },
          ...(token === null && { token }),
          ...(route.startsWith("POST") && { body: "{" }),
        });
        assertEquals(answer.headers.get("access-control-allow-origin"), allowed, route);
        assertEquals(answer.headers.get("vary"), "Origin");
        assertEquals(answer.headers.has("access-control-allow-credentials"), false);
        assert(answer.headers.get("access-control-expose-headers")?.includes("x-request-id"));
      }
    }
    const others = [
      "https://ours.test.evil",
      "https://ours.test:444",
      "http://ours.test",
      "null",
      "*",
    ];
    for (const origin of [...others, "https://OURS.test", "chrome-extension://x"]) {
      const answer = await call("GET /v2/users/me", { headers: { origin } });
      assertEquals(answer.headers.get("access-control-allow-origin"), null, origin);
      assertEquals([answer.status, answer.headers.get("vary")], [200, "Origin"]);
    }
  }, { environment: { RECTO_CORS_ORIGINS: "https://ours.test,https://also.test" } }));

Deno.test("a preflight needs no token and tells methods and fields", () =>
  withApp(async ({ call }) => {
    const preflight = (origin: string) =>
      call(`OPTIONS /v2/pages/${UNKNOWN}`, {
        token: null,
        headers: { origin, "access-control-request-method": "PATCH" },
      });
    const { status, headers } = await preflight("https://ours.test");
    assertEquals(status, 204);
    assertEquals(headers.get("access-control-allow-origin"), "https://ours.test");
    assertEquals(headers.get("access-control-allow-methods"), "DELETE, GET, HEAD, OPTIONS, PATCH");
    assert(Number(headers.get("access-control-max-age")) <= 7_200);
    assertEquals(headers.get("vary"), "Origin");
    for (const name of ["authorization", "content-type", "if-match", "idempotency-key"]) {
      assert(headers.get("access-control-allow-headers")?.includes(name), name);
    }
    const other = await preflight("https://evil.test");
    assertEquals([...other.headers.keys()].filter((name) => name.startsWith("access-")), []);
  }, { environment: { RECTO_CORS_ORIGINS: "https://ours.test" } }));

Deno.test("the rate limit is told with every answer to a token, and with a 429 when to come back", () =>
  withApp(async ({ call }) => {
    const first = await call("GET /v2/users/me");
    assertEquals(first.headers.get("ratelimit-policy"), '"default";q=5;w=5');
    assertEquals(first.headers.get("ratelimit"), '"default";r=4;t=1');
    const all = await Promise.all(Array.from({ length: 25 }, () => call("GET /v2/users/me")));
    const limited = all.find(({ status }) => status === 429);
    assert(limited !== undefined);
    assertEquals(limited.json.code, "rate_limited");
    assertEquals(limited.headers.get("retry-after"), "1");
    assertEquals(limited.headers.get("ratelimit"), '"default";r=0;t=1');
    assertEquals(limited.headers.get("ratelimit-policy"), '"default";q=5;w=5');
  }, { environment: { RECTO_RATE_LIMIT: "1/s" } }));

Deno.test("an Idempotency-Key that is malformed is refused and nothing is written", () =>
  withApp(async ({ call }) => {
    for (const key of ["", '""', '"a', "a b", "a,b", "x".repeat(256), '"é"', '"a\\"b"']) {
      const answer = await call("POST /v2/pages", {
        headers: { "idempotency-key": key },
        body: NEW_PAGE,
      });
      assertEquals(outcome(answer), "400 invalid_request", key);
    }
  }));
