/**
 * The served OpenAPI document: for everyone, in every content coding, and as a 304.
 *
 * @module
 */
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { publish } from "../../src/api/meta/openapi.ts";
import { compressText } from "../../src/http/compress.ts";
import { addEncodings } from "../../src/http/encoding.ts";
import { parseMeta, sha256 } from "../../src/openapi/meta.ts";
import { assert, assertEquals } from "../assert.ts";
import { ORIGIN, type TestApp, withApp } from "../support/app.ts";

const text = await Deno.readTextFile("spec/openapi.json");
const meta = parseMeta(await Deno.readTextFile("spec/meta.json"));
assert(meta !== undefined);
const described = JSON.stringify(meta);
const pair = {
  document: text,
  etag: meta.etag,
  meta: described,
  metaEtag: await sha256(described),
};
const encodings = compressText(text);
const published = publish(pair);
addEncodings(published.document, encodings);

const DOCUMENT = "/v2/openapi.json";
const DECODE = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync };

function serving(
  test: (app: TestApp) => Promise<void>,
  documents = published,
): Promise<void> {
  const policyPage = () => Promise.resolve({ body: "" });
  return withApp(test, { published: { ...documents, policyPage } });
}

function get(
  { send }: TestApp,
  path: string,
  { method = "GET", ...headers }: Record<string, string> = {},
): Promise<Response> {
  return Promise.resolve(send(new Request(`${ORIGIN}${path}`, { method, headers })));
}

Deno.test("the document is served unchanged with the etag in its metadata", () =>
  serving(async (app) => {
    const response = await get(app, DOCUMENT);
    assertEquals(response.status, 200);
    assertEquals(await response.text(), text);
    assertEquals(response.headers.get("etag"), `"${meta.etag}"`);
    assertEquals(response.headers.get("vary"), "Accept-Encoding");
    assertEquals(response.headers.get("cache-control"), "public, max-age=60, must-revalidate");
    assertEquals(await (await get(app, "/v2/openapi/meta")).json(), meta);
  }));

Deno.test("the document is compressed when that is first wanted, and sent uncompressed until then", () => {
  let wanted = 0;
  const fresh = publish(pair, () => wanted++);
  return serving(async (app) => {
    const asking = { "accept-encoding": "gzip, br" };
    await (await get(app, DOCUMENT)).body?.cancel();
    await (await get(app, "/v2/openapi/meta", asking)).body?.cancel();
    assertEquals(wanted, 0);
    const plain = await get(app, DOCUMENT, asking);
    assertEquals(plain.headers.get("content-encoding"), null);
    assertEquals(plain.headers.get("vary"), "Accept-Encoding");
    assertEquals(await plain.text(), text);
    assertEquals(wanted, 1);
    const unwilling = await get(app, DOCUMENT, { "accept-encoding": "gzip, identity;q=0" });
    assertEquals(await unwilling.text(), text);
    addEncodings(fresh.document, encodings);
    const encoded = await get(app, DOCUMENT, asking);
    assertEquals(encoded.headers.get("content-encoding"), "br");
    assertEquals(encoded.headers.get("etag"), `W/"${meta.etag}"`);
  }, fresh);
});

for (const [coding, decode] of Object.entries(DECODE)) {
  Deno.test(`the document with content coding ${coding} is the same document`, () =>
    serving(async (app) => {
      const response = await get(app, DOCUMENT, { "accept-encoding": coding });
      assertEquals(response.headers.get("content-encoding"), coding);
      assertEquals(response.headers.get("etag"), `W/"${meta.etag}"`);
      assertEquals(response.headers.get("vary"), "Accept-Encoding");
      const bytes = new Uint8Array(await response.arrayBuffer());
      assertEquals(new TextDecoder().decode(decode(bytes)), text);
      assert(bytes.length < text.length / 10);
      const again = await get(app, DOCUMENT, { "accept-encoding": coding });
      assertEquals(new Uint8Array(await again.arrayBuffer()), bytes);
    }));
}

Deno.test("a client that accepts no form of the document gets an error", () =>
  serving(async (app) => {
    const response = await get(app, DOCUMENT, { "accept-encoding": "identity;q=0" });
    assertEquals(response.status, 406);
  }));

for (
  const [held, status] of [
    [`"${meta.etag}"`, 304],
    [`W/"${meta.etag}"`, 304],
    [`"other", W/"${meta.etag}"`, 304],
    [meta.etag, 304],
    ["*", 304],
    ['"other"', 200],
    ['"other", W/"another"', 200],
  ] as const
) {
  Deno.test(`If-None-Match: ${held} is answered with ${status}, whatever the coding`, () =>
    serving(async (app) => {
      for (const coding of ["identity", ...Object.keys(DECODE)]) {
        for (const method of ["GET", "HEAD"]) {
          const headers = { "if-none-match": held, "accept-encoding": coding };
          const response = await get(app, DOCUMENT, { method, ...headers });
          assertEquals(response.status, status);
          assertEquals(response.headers.get("vary"), "Accept-Encoding");
          assert(response.headers.get("etag")?.endsWith(`"${meta.etag}"`));
          const isEmpty = (await response.arrayBuffer()).byteLength === 0;
          assertEquals(isEmpty, status === 304 || method === "HEAD");
          if (status === 304) assertEquals(response.headers.get("content-encoding"), null);
        }
      }
    }));
}

Deno.test("HEAD has the fields of GET and the length of its bytes", () =>
  serving(async (app) => {
    for (const coding of ["identity", ...Object.keys(DECODE)]) {
      const headers = { "accept-encoding": coding };
      const whole = await get(app, DOCUMENT, headers);
      const head = await get(app, DOCUMENT, { method: "HEAD", ...headers });
      const { byteLength } = await whole.arrayBuffer();
      assertEquals(head.headers.get("content-length"), String(byteLength));
      for (const name of ["etag", "content-encoding", "content-type", "vary", "cache-control"]) {
        assertEquals(head.headers.get(name), whole.headers.get(name), name);
      }
    }
  }));

Deno.test("the document needs no token and ignores one", () =>
  serving(async (app) => {
    for (const authorization of ["Bearer broken", "Bearer", "Basic x", "nonsense"]) {
      for (const path of [DOCUMENT, "/v2/openapi/meta"]) {
        const response = await get(app, path, { authorization });
        assertEquals(response.status, 200);
        await response.body?.cancel();
      }
    }
  }));
