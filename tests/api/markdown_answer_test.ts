import { bodyOf } from "../../src/api/pages/markdown_body.ts";
import { LongText } from "../../src/shared/long_text.ts";
import { assert, assertEquals } from "../assert.ts";

async function* printed(): AsyncGenerator<string> {
  for (let n = 0; n < 20; n++) yield "x".repeat(100_000);
}

Deno.test("a long body is a stream, or stays in pieces if fields may be removed from it", async () => {
  for (const isLarge of [false, true]) {
    const { body } = await bodyOf(printed(), { isLarge, isRedacted: false });
    assert(body instanceof ReadableStream);
    await body.cancel();
    const redacted = await bodyOf(printed(), { isLarge, isRedacted: true });
    assert(redacted.body instanceof LongText);
    assertEquals(redacted.body.pieces.length, 20);
  }
});
