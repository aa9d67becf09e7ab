import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { compressText } from "../../src/http/compress.ts";
import { assert, assertEquals } from "../assert.ts";

Deno.test("compressText() returns bytes that decode to the text, and omits codings that do not shrink it", () => {
  const text = "Grüße. ".repeat(500);
  const encodings = compressText(text);
  assertEquals([...encodings.keys()], ["zstd", "br", "gzip"]);
  const decode = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync };
  for (const [name, decompress] of Object.entries(decode)) {
    const bytes = encodings.get(name);
    assert(bytes !== undefined);
    assertEquals(new TextDecoder().decode(decompress(bytes)), text);
  }
  assertEquals(compressText("a").size, 0);
});
