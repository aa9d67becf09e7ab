import { readBoundedText, UnusableBody } from "../../src/shared/bounded_body.ts";
import { assertEquals, assertRejects } from "../assert.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("a body is read up to its limit, with characters that are divided between chunks", async () => {
  const euro = bytes("€");
  const chunks = [euro.subarray(0, 1), euro.subarray(1), bytes("uro")];
  assertEquals(await readBoundedText(ReadableStream.from(chunks), 6), "€uro");
  assertEquals(await readBoundedText(null, 0), "");
});

Deno.test("no more of a body is read than its limit, and the rest is cancelled", async () => {
  let sent = 0;
  let isCancelled = false;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      sent += 100;
      controller.enqueue(new Uint8Array(100).fill(0x20));
    },
    cancel: () => {
      isCancelled = true;
    },
  }, { highWaterMark: 0 });
  await assertRejects(() => readBoundedText(endless, 1_000), UnusableBody, "1000 bytes");
  assertEquals([sent, isCancelled], [1_100, true]);
});

Deno.test("a body that is not UTF-8 or ends within a character is refused", async () => {
  for (const body of [new Uint8Array([0xff]), bytes("€").subarray(0, 2)]) {
    await assertRejects(() => readBoundedText(ReadableStream.from([body]), 10), UnusableBody);
  }
});
