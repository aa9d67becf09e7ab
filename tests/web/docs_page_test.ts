/**
 * The API reference as it is served; `tests/browser/` looks at it.
 *
 * @module
 */
import { gunzipSync } from "node:zlib";
import { BUNDLE_PATH } from "../../src/web/docs_page.ts";
import { assert, assertEquals, assertMatch } from "../assert.ts";
import { ORIGIN, type TestApp, withApp } from "../support/app.ts";

function get(
  { app }: TestApp,
  path: string,
  { method = "GET", ...headers }: Record<string, string> = {},
): Promise<Response> {
  return Promise.resolve(app.handler(new Request(`${ORIGIN}${path}`, { method, headers })));
}

Deno.test("/ leads to the API reference", () =>
  withApp(async (app) => {
    for (const method of ["GET", "HEAD"]) {
      const response = await get(app, "/", { method });
      assertEquals([response.status, response.headers.get("location")], [302, "/docs"]);
      assertEquals(await response.text(), "");
    }
  }));

Deno.test("/docs names no other host, and lets nothing but its own scripts run", () =>
  withApp(async (app) => {
    const response = await get(app, "/docs", { authorization: "Bearer broken" });
    const page = await response.text();
    assertEquals(response.status, 200);
    assertEquals(response.headers.get("content-type"), "text/html; charset=utf-8");
    assertEquals(page.match(/https?:\/\//g), null);
    const security = response.headers.get("content-security-policy") ?? "";
    const scripts = /script-src ([^;]*)/.exec(security)?.[1] ?? "";
    assertMatch(scripts, /^'self' 'sha256-[\w+/]{43}='$/);
    const inline = /<script>([\s\S]*)<\/script>/.exec(page)?.[1] ?? "";
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(inline));
    assert(scripts.includes(new Uint8Array(digest).toBase64()));
    assert(security.includes("default-src 'none'"));
    assert(page.includes(`src="${BUNDLE_PATH}"`));
  }));

Deno.test("/docs is not sent again to who holds it", () =>
  withApp(async (app) => {
    const etag = (await get(app, "/docs")).headers.get("etag") ?? "";
    assertEquals((await get(app, "/docs", { "if-none-match": etag })).status, 304);
  }));

Deno.test("the bundle is kept for ever under the name of its version, as gzip or plain", () =>
  withApp(async (app) => {
    const gzip = await get(app, BUNDLE_PATH, { "accept-encoding": "gzip, br" });
    const plain = await get(app, BUNDLE_PATH);
    assertEquals(gzip.headers.get("content-encoding"), "gzip");
    assertEquals(plain.headers.get("content-encoding"), null);
    for (const response of [gzip, plain]) {
      assertEquals(response.headers.get("content-type"), "text/javascript; charset=utf-8");
      assertEquals(
        response.headers.get("cache-control"),
        "public, max-age=31536000, immutable",
      );
      assertEquals(response.headers.get("vary"), "Accept-Encoding");
    }
    const bytes = await plain.bytes();
    assertEquals(gunzipSync(await gzip.bytes()).equals(bytes), true);
    const etag = gzip.headers.get("etag") ?? "";
    const held = await get(app, BUNDLE_PATH, { "accept-encoding": "gzip", "if-none-match": etag });
    assertEquals(held.status, 304);
  }));
