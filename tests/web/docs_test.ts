/**
 * The API reference as it is served: to everyone, whole, and not again to who holds it.
 *
 * @module
 */
import { gunzipSync } from "node:zlib";
import { assert, assertEquals } from "../assert.ts";
import { ORIGIN, type TestApp, withApp } from "../support/app.ts";

const SCRIPT = /<script src="(\/docs\/api-reference-[0-9a-f]{16}\.js)"><\/script>/;
const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

function get(
  { app }: TestApp,
  path: string,
  { method = "GET", ...headers }: Record<string, string> = {},
): Promise<Response> {
  return Promise.resolve(app.handler(new Request(`${ORIGIN}${path}`, { method, headers })));
}

async function scriptOf(app: TestApp): Promise<string> {
  const [, address = ""] = SCRIPT.exec(await (await get(app, "/docs")).text()) ?? [];
  assert(address !== "");
  return address;
}

Deno.test("/docs is a page that runs scripts of this server and calls only this server", () =>
  withApp(async (app) => {
    const page = await get(app, "/docs");
    assertEquals(page.status, 200);
    assertEquals(page.headers.get("content-type"), "text/html; charset=utf-8");
    assertEquals(page.headers.get("cache-control"), "no-cache");
    const security = page.headers.get("content-security-policy") ?? "";
    const rules = new Map(
      security.split("; ").map((rule) => {
        const [name = "", ...sources] = rule.split(" ");
        return [name, sources.join(" ").replace(/'sha256-[^']+'/, "HASH")];
      }),
    );
    assertEquals(Object.fromEntries(rules), {
      "default-src": "'none'",
      "script-src": "'self' HASH",
      "style-src": "'unsafe-inline'",
      "img-src": "data:",
      "connect-src": "'self'",
      "base-uri": "'none'",
      "form-action": "'none'",
      "frame-ancestors": "'none'",
    });
    const html = await page.text();
    const targets = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, target = ""]) => target);
    assert(targets.length > 3);
    for (const target of targets) assert(/^\/|^data:,$/.test(target), target);
    assert(targets.includes("/policy"));
  }));

Deno.test("/docs responds with 304 to a cached copy, and to HEAD with its length", () =>
  withApp(async (app) => {
    const page = await get(app, "/docs");
    const etag = page.headers.get("etag") ?? "";
    const length = (await page.bytes()).length;
    const security = page.headers.get("content-security-policy");
    for (const method of ["GET", "HEAD"]) {
      const held = await get(app, "/docs", { method, "if-none-match": etag });
      // A browser takes the fields of this one for the page that it holds.
      assertEquals([held.status, held.headers.get("content-security-policy")], [304, security]);
    }
    const head = await get(app, "/docs", { method: "HEAD" });
    assertEquals([head.status, await head.text()], [200, ""]);
    assertEquals(head.headers.get("content-length"), String(length));
  }));

Deno.test("the script of /docs is the one in assets/, and never changes under its name", () =>
  withApp(async (app) => {
    const address = await scriptOf(app);
    const zipped = await Deno.readFile("assets/api-reference.js.gz");
    const plain = await get(app, address);
    assertEquals(plain.headers.get("content-type"), "text/javascript; charset=utf-8");
    assertEquals(plain.headers.get("cache-control"), "public, max-age=31536000, immutable");
    assertEquals(plain.headers.get("vary"), "Accept-Encoding");
    assert(isSame(await plain.bytes(), gunzipSync(zipped)));
    const encoded = await get(app, address, { "accept-encoding": "gzip, deflate, br, zstd" });
    assertEquals(encoded.headers.get("content-encoding"), "gzip");
    assertEquals(encoded.headers.get("etag"), `W/${plain.headers.get("etag")}`);
    assert(isSame(await encoded.bytes(), zipped));
    const head = await get(app, address, { method: "HEAD", "accept-encoding": "gzip" });
    assertEquals(head.headers.get("content-length"), String(zipped.length));
    const etag = plain.headers.get("etag") ?? "";
    assertEquals((await get(app, address, { "if-none-match": etag })).status, 304);
  }));

/** Millions of bytes, of which a failure should print none. */
function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

Deno.test("a script with another name is not found", () =>
  withApp(async ({ call }) => {
    for (const name of ["api-reference.js", "LICENSE", "api-reference-0123456789abcdef.js"]) {
      const { status, json } = await call(`GET /docs/${name}`, { token: null });
      assertEquals([status, json.code], [404, "route_not_found"], name);
    }
  }));

Deno.test("/ redirects browsers to the reference, and sends URLs to other clients", () =>
  withApp(async (app) => {
    for (const method of ["GET", "HEAD"]) {
      const lead = await get(app, "/", { method, accept: BROWSER });
      assertEquals([lead.status, lead.headers.get("location")], [302, "/docs"]);
      assertEquals([lead.headers.get("vary"), await lead.text()], ["Accept", ""]);
    }
    for (const accept of [{}, { accept: "*/*" }, { accept: "application/json" }]) {
      const answer = await get(app, "/", accept);
      assertEquals(answer.headers.get("vary"), "Accept");
      assertEquals(await answer.json(), {
        reference: `${ORIGIN}/docs`,
        document: `${ORIGIN}/v2/openapi.json`,
        policy: `${ORIGIN}/policy`,
      });
    }
    assertEquals((await get(app, "/", { accept: "image/png" })).status, 406);
  }));

Deno.test("the pages ignore tokens", () =>
  withApp(async (app) => {
    for (const path of ["/", "/docs", await scriptOf(app)]) {
      const answer = await get(app, path, { authorization: "Bearer broken" });
      assertEquals(answer.status, 200, path);
      await answer.body?.cancel();
    }
  }));
