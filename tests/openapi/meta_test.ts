import { createDocument, serializeDocument } from "../../src/cli/openapi/document.ts";
import { createMeta, parseMeta, serializeMeta } from "../../src/openapi/meta.ts";
import { findStale, publish } from "../../src/cli/openapi/publication.ts";
import { assertEquals, assertMatch, assertNotEquals } from "../assert.ts";
import { endpoints, options } from "./sample.ts";

const MAY = Date.UTC(2026, 4, 1);
const JUNE = Date.UTC(2026, 5, 1);
const text = serializeDocument(createDocument(options));
const changed = serializeDocument(createDocument({
  ...options,
  endpoints: endpoints.map((endpoint) => ({ ...endpoint, description: "Other words." })),
}));

Deno.test("createMeta() counts paths and schemas and hashes the text as UTF-8", async () => {
  const small = '{"paths":{"/ä":{}},"components":{"schemas":{"A":{},"B":{}}}}';
  assertEquals(await createMeta(small, { previous: undefined, now: MAY }), {
    // printf '%s' TEXT | sha256sum
    etag: "4b0cf191abfc45a6fda555603cc29d30fbb3eedbf779c844549a6755c53191c1",
    generatedAt: "2026-05-01T00:00:00.000Z",
    pathCount: 1,
    schemaCount: 2,
  });
});

Deno.test("createMeta() keeps generatedAt while the bytes are the same", async () => {
  const first = await createMeta(text, { previous: undefined, now: MAY });
  assertMatch(first.etag, /^[0-9a-f]{64}$/);
  assertEquals([first.pathCount, first.schemaCount], [3, 7]);
  assertEquals(await createMeta(text, { previous: first, now: JUNE }), first);
});

Deno.test("createMeta() moves etag and generatedAt when a description changes", async () => {
  const first = await createMeta(text, { previous: undefined, now: MAY });
  const second = await createMeta(changed, { previous: first, now: JUNE });
  assertNotEquals(second.etag, first.etag);
  assertEquals(second, {
    ...first,
    etag: second.etag,
    generatedAt: "2026-06-01T00:00:00.000Z",
  });
});

Deno.test("parseMeta() reads what serializeMeta() wrote, and nothing else", async () => {
  const meta = await createMeta(text, { previous: undefined, now: MAY });
  assertEquals(parseMeta(serializeMeta(meta)), meta);
  for (const other of ["", "{}", "null", JSON.stringify({ ...meta, more: 1 })]) {
    assertEquals(parseMeta(other), undefined);
  }
});

Deno.test("publish() makes the same files again, and findStale() names those that differ", async () => {
  const nothing = { document: undefined, meta: undefined };
  const first = await publish(text, { previous: nothing, now: MAY });
  assertEquals(findStale(first, nothing), ["document", "meta"]);
  const again = await publish(text, { previous: first, now: JUNE });
  assertEquals(again, first);
  assertEquals(findStale(again, first), []);
  const next = await publish(changed, { previous: first, now: JUNE });
  assertEquals(findStale(next, first), ["document", "meta"]);
  assertEquals(findStale(first, { ...first, meta: "{}" }), ["meta"]);
});
