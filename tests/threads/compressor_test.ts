import { compressText } from "../../src/http/compress.ts";
import { compressInThread } from "../../src/threads/compressor.ts";
import { assertEquals } from "../assert.ts";

Deno.test("compressInThread() answers what compressText() does, text by text", async () => {
  const texts = ["Grüße. ".repeat(500), "a", "b".repeat(10_000)];
  assertEquals(await compressInThread(texts), texts.map(compressText));
});
