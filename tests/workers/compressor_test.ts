import { compressText } from "../../src/http/compress.ts";
import { compressInWorker } from "../../src/workers/compressor.ts";
import { assertEquals, assertRejects } from "../assert.ts";

Deno.test("compressInWorker() returns the same as compressText(), text by text", async () => {
  const texts = ["Grüße. ".repeat(500), "a", "b".repeat(10_000)];
  const { signal } = new AbortController();
  assertEquals(await compressInWorker(texts, signal), texts.map(compressText));
});

Deno.test("compressInWorker() rejects when its signal aborts", async () => {
  const stopping = new AbortController();
  const compressing = compressInWorker(["b".repeat(10_000)], stopping.signal);
  stopping.abort();
  await assertRejects(() => compressing, DOMException, "aborted");
});
