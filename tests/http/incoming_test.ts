/**
 * Whole, at whatever times it comes, or not at all. What time it is the tests say themselves.
 *
 * @module
 */
import { openIncoming } from "../../src/http/incoming.ts";
import { LIMITS } from "../../src/http/request.ts";
import { assertEquals, assertRejects } from "../assert.ts";

const ENOUGH = LIMITS.uploadPaceBytes;

interface Sender {
  /** Sends so many bytes, and waits until they were taken. */
  send(bytes: number): Promise<void>;
  /** Ends the time in which some bytes must come. */
  endTime(): void;
  close(): void;
}

/** How many bytes arrive of a body that is sent so. */
async function receive(sending: (sender: Sender) => Promise<void>): Promise<number> {
  const { setInterval, clearInterval } = globalThis;
  const ends = new Set<() => void>();
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const timers = {
    setInterval: (end: () => void) => (ends.add(end), end),
    clearInterval: (end: () => void) => void ends.delete(end),
  };
  Object.assign(globalThis, timers);
  try {
    const sent = sending({
      send: async (bytes) => {
        await writer.write(new Uint8Array(bytes));
        await new Promise((resolve) => setTimeout(resolve));
      },
      endTime: () => ends.forEach((end) => end()),
      close: () => void writer.close(),
    });
    const [received] = await Promise.all([sizeOf(readable), sent]);
    assertEquals(ends.size, 0);
    return received;
  } finally {
    Object.assign(globalThis, { setInterval, clearInterval });
    await writer.abort().catch(() => {});
  }
}

async function sizeOf(body: ReadableStream<Uint8Array>): Promise<number> {
  const request = new Request("http://localhost/", { method: "PUT", body });
  const headers = new Map([["transfer-encoding", "chunked"]]);
  const admitted = { method: "PUT", path: "/", query: "", headers };
  let size = 0;
  for await (const chunk of openIncoming(request, admitted, LIMITS).chunks(10 * ENOUGH)) {
    size += chunk.length;
  }
  return size;
}

Deno.test("a body may take any time if enough bytes arrive in each interval", async () => {
  const received = await receive(async ({ send, endTime, close }) => {
    for (let time = 0; time < 5; time++) {
      await send(ENOUGH);
      endTime();
    }
    close();
  });
  assertEquals(received, 5 * ENOUGH);
});

for (const bytes of [0, ENOUGH - 1]) {
  Deno.test(`a body of which ${bytes} bytes come in a time is not waited for`, async () => {
    await assertRejects(
      () =>
        receive(async ({ send, endTime }) => {
          await send(ENOUGH);
          endTime();
          if (bytes > 0) await send(bytes);
          endTime();
        }),
      Error,
      "Body did not arrive in time",
    );
  });
}
