import fc from "fast-check";
import { endpoints } from "../../src/api/endpoints.ts";
import { assert, assertEquals } from "../assert.ts";
import { withApp } from "../support/app.ts";
import { latin1, type Wire, withServer } from "../support/socket.ts";
import { lastRequest, outcome, UNKNOWN } from "./support.ts";

async function get({ exchange, host }: Wire, target: string): Promise<string> {
  const answers = await exchange(latin1(lastRequest(`GET ${target} HTTP/1.1`, [`Host: ${host}`])));
  assertEquals(answers.length, 1, target);
  return answers.map(outcome).join();
}

/** Every one of these is, once normalized by somebody, the public document or the health check. */
const NO_ROUTE = {
  "dot segments": [
    ...["/v2/pages/../openapi.json", "/v2/./openapi.json", "/./v2/openapi.json", "/healthz/."],
    ...[
      "/v2/%2e%2e/v2/openapi.json",
      "/v2/x/%2E./openapi.json",
      "/v2/.%2e/healthz",
      "/x/../healthz",
    ],
  ],
  "empty segments": ["/v2//openapi.json", "//v2/openapi.json", "///v2/openapi.json", "//healthz"],
  "encoded separators": [
    ...["/v2/openapi.json%2f..%2fpages", "/v2%2fopenapi.json", "/v2%5copenapi.json"],
    ...["/v2\\openapi.json", "/\\evil.test/v2/openapi.json"],
  ],
  "another spelling": [
    ...["/v2/%6fpenapi.json", "/V2/openapi.json", "/v2/OPENAPI.json", "/v2/openapi.json/"],
    ...["/v2/openapi.json;x=1", "/v2/openapi.json%00", "/v2/openapi.json%0a", "/healthz%20"],
    ...["/v2/openapi.json%", "/v2/openapi.json%zz", "/v2/openapi%2Ejson"],
  ],
  "double encoding": [
    "/v2/%252e%252e/openapi.json",
    "/v2/openapi%252ejson",
    "/v2%252fopenapi.json",
  ],
};

for (const [what, targets] of Object.entries(NO_ROUTE)) {
  Deno.test(`a path with ${what} names no route`, () =>
    withServer(async (wire) => {
      for (const target of targets) {
        assertEquals(await get(wire, target), "404 route_not_found", target);
      }
      assert(wire.logged().every(({ route }) => route === null));
    }));
}

Deno.test("a target with a fragment or a byte that no target has is refused", () =>
  withServer(async (wire) => {
    for (const target of ["/v2/pages#/../admin", "/healthz#", "/healthz?#x"]) {
      assertEquals(await get(wire, target), "400 invalid_request", target);
    }
    // These the runtime itself refuses, without a body.
    for (const target of ["healthz", "*", "@evil.test/healthz", "/he\tlthz", "/\0", "/\xe9", "?"]) {
      assertEquals(await get(wire, target), "400", target);
    }
  }));

Deno.test("an id never holds a separator, however it is escaped", () =>
  withApp(async ({ call }) => {
    for (const id of ["a%2Fb", "a%5cb", `${UNKNOWN}%2f`, "%2e%2e", "a%00", "a%0a"]) {
      assertEquals(outcome(await call(`GET /v2/pages/${id}`)), "404 route_not_found", id);
    }
    for (const id of ["%252e%252e", "a%252Fb", "%3AUpp"]) {
      const { json } = await call(`GET /v2/pages/${id}`);
      assertEquals([json.code, json.errors[0].pointer], ["validation_error", "/page_id"]);
      // What is decoded is decoded once.
      assert(json.message.includes(`\`"${decodeURIComponent(id)}"\``), json.message);
    }
  }));

const patterns = [...new Set(endpoints.map(({ path }) => path))]
  .map((path) => ({ path, pattern: new URLPattern({ pathname: path }) }));

/** The declared paths that a scan finds for a raw path, which must be what a URL parser makes of it. */
function scan(target: string): string[] {
  const [raw = ""] = target.split("?");
  if (URL.parse(`http://h${target}`)?.pathname !== raw) return [];
  return patterns.filter(({ pattern }) => pattern.test({ pathname: raw })).map(({ path }) => path);
}

const segment = fc.oneof(
  fc.uuid(),
  fc.constantFrom("..", ".", "", "%2F", "%2e", "%C3%A9", "%00", "a;b", "me", "children", "~"),
  fc.string({ unit: "binary", maxLength: 6 }).map((text) => text.replace(/[^!-~]/g, "é")),
);
const nearTarget = fc.tuple(fc.constantFrom(...patterns), fc.array(segment, { minLength: 3 }))
  .map(([{ path }, values]) =>
    values.reduce((text, value) => text.replace(/:\w+/, () => value), path)
  );
const byte = fc.integer({ min: 1, max: 255 }).filter((code) => code !== 0x20);
const anyTarget = fc.array(byte, { maxLength: 40 })
  .map((codes) => `/${String.fromCharCode(...codes)}`);
/** Logged only if they fail. */
const PROBES = new Set(["/healthz", "/readyz", "/metrics"]);
/** Valid ones and their neighbours by one byte. */
const twistedTarget = fc.tuple(nearTarget, fc.nat(60), byte).map(([target, at, code]) =>
  target.slice(0, at) + String.fromCharCode(code) + target.slice(at)
);

Deno.test("what is handled is what URLPattern finds for the raw target, and the log names it", () =>
  withServer(async (wire) => {
    let handled = 0;
    const targets = fc.oneof(nearTarget, anyTarget, twistedTarget);
    await fc.assert(
      fc.asyncProperty(targets, async (target) => {
        fc.pre(!/[\r\n]/.test(target));
        const seen = wire.logged().length;
        const result = await get(wire, target);
        assert(/^(200|302|40[0145]|503)/.test(result), `${JSON.stringify(target)}: ${result}`);
        const lines = wire.logged().slice(seen);
        const isProbe = PROBES.has(scan(target)[0] ?? "") && /^200/.test(result);
        // Without a line the runtime refused the bytes before us, or a probe was answered.
        assert(lines.length === (isProbe ? 0 : 1) || result === "400", result);
        const route = isProbe ? scan(target)[0] : lines[0]?.route ?? null;
        if (route === null) assert(/^40[04]/.test(result), result);
        else assertEquals(scan(target), [route]);
        if (/^(200|302|401|405)/.test(result)) handled++;
      }),
      { numRuns: 1_500 },
    );
    assert(handled > 100, `only ${handled} targets were handled`);
  }));
