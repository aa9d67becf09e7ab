import { assertEquals } from "../assert.ts";
import { type CallOptions, withApp } from "../support/app.ts";
import { watchStore } from "../support/watched_store.ts";
import { createPage, outcome, UNKNOWN } from "./support.ts";

interface Faulty extends CallOptions {
  readonly route: string;
  readonly expected: string;
}

const LONG = "x".repeat(9_000);
const XML = { "content-type": "text/xml" };
const NO_JSON = { accept: "text/html" };
const STALE = { "if-match": '"stale"' };

/**
 * Requests in the order of refusals: each has the fault that its line expects and every fault of the
 * lines below it that it can have.
 */
function ladder(
  tokens: { readonly none: null; readonly weak: string; readonly full: string },
): Faulty[] {
  const { none, weak, full } = tokens;
  const worst = { token: none, body: LONG, headers: { ...XML, ...NO_JSON, ...STALE } };
  const missing = `/v2/pages/${UNKNOWN}`;
  return [
    { ...worst, route: `FOO /nowhere?${LONG}`, expected: "501 not_implemented" },
    { ...worst, route: `PUT /nowhere?${LONG}`, expected: "414 uri_too_long" },
    {
      ...worst,
      route: "PUT /nowhere",
      headers: { ...worst.headers, host: "a b" },
      expected: "400 invalid_request",
    },
    { ...worst, route: "PUT /nowhere", expected: "404 route_not_found" },
    { ...worst, route: `PUT ${missing}`, expected: "405 method_not_allowed" },
    { ...worst, route: `PATCH ${missing}?x=1`, expected: "401 unauthorized" },
    { ...worst, route: `PATCH ${missing}?x=1`, token: weak, expected: "403 forbidden" },
    { ...worst, route: `PATCH ${missing}?x=1`, token: full, expected: "406 not_acceptable" },
    {
      route: `PATCH ${missing}?x=1`,
      token: full,
      body: LONG,
      headers: { ...XML, ...STALE },
      expected: "415 unsupported_media_type",
    },
    {
      route: `PATCH ${missing}?x=1`,
      token: full,
      body: LONG,
      headers: STALE,
      expected: "413 payload_too_large",
    },
    {
      route: `PATCH ${missing}`,
      token: full,
      body: "{",
      headers: STALE,
      expected: "400 invalid_json",
    },
    {
      route: `PATCH ${missing}`,
      token: full,
      body: { x: 1 },
      headers: STALE,
      expected: "400 validation_error",
    },
    {
      route: `PATCH ${missing}`,
      token: full,
      body: { icon: null },
      headers: STALE,
      expected: "404 object_not_found",
    },
  ];
}

Deno.test("of several faults the first in the documented order is answered", () =>
  withApp(async (app) => {
    const tokens = { none: null, weak: await app.mint({ scope: "" }), full: await app.mint() };
    for (const { route, expected, ...options } of ladder(tokens)) {
      assertEquals(outcome(await app.call(route, options)), expected, `${route.slice(0, 50)}`);
    }
    const id = await createPage(app);
    const stale = await app.call(`PATCH /v2/pages/${id}`, { body: { icon: null }, headers: STALE });
    assertEquals(outcome(stale), "412 precondition_failed");
  }, { limits: { bodyBytes: 8_192 } }));

Deno.test("429 comes after 403, before 406 and before anything is asked of the store", async () => {
  const { store, calls } = watchStore();
  await withApp(async ({ call, mint }) => {
    const worst = { body: LONG, headers: { ...XML, ...NO_JSON } };
    const before = calls.length;
    // Far more than the burst, so that no pause of the machine refills the bucket meanwhile.
    const all = Array.from(
      { length: 25 },
      async () => outcome(await call("POST /v2/pages", worst)),
    );
    assertEquals(
      new Set(await Promise.all(all)),
      new Set(["406 not_acceptable", "429 rate_limited"]),
    );
    const weak = await call("POST /v2/pages", { ...worst, token: await mint({ scope: "" }) });
    assertEquals(outcome(weak), "403 forbidden");
    assertEquals(calls.length, before);
  }, { store, environment: { RECTO_RATE_LIMIT: "1/s" } });
});

Deno.test("a caller who is refused has no body read", () =>
  withApp(async ({ call, mint }) => {
    for (const token of [null, await mint({ scope: "" })]) {
      let pulled = 0;
      const body = new ReadableStream({
        pull(controller) {
          pulled++;
          controller.enqueue(new Uint8Array(10));
        },
      }, { highWaterMark: 0 });
      const answer = await call("POST /v2/pages", { token, body });
      assertEquals([answer.status, pulled], [token === null ? 401 : 403, 0]);
    }
  }));
