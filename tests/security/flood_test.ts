import { assert, assertEquals } from "../assert.ts";
import { type Wire, withServer } from "../support/socket.ts";

const PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const TYPES = { headers: 1, reset: 3, settings: 4, ping: 6, goaway: 7, continuation: 9 };
const END_HEADERS = 4;
const END_STREAM = 1;

/** A frame of HTTP/2 (RFC 9113 section 4.1). */
function frame(type: number, flags: number, stream: number, payload: readonly number[]): number[] {
  const length = [payload.length >> 16, payload.length >> 8, payload.length];
  return [...length, type, flags, ...[stream >> 24, stream >> 16, stream >> 8, stream], ...payload]
    .map((byte) => byte & 0xff);
}

/** `GET http://HOST/healthz` as HPACK writes it without a table. */
function fieldsOf(host: string): number[] {
  const literal = (index: number, value: string) => [
    index,
    value.length,
    ...new TextEncoder().encode(value),
  ];
  return [0x82, 0x86, ...literal(0x04, "/healthz"), ...literal(0x01, host)];
}

/** Sends frames behind the preface, and answers the types of all that came back until the end. */
async function talk({ port }: Wire, frames: readonly number[]): Promise<number[]> {
  const connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const received: number[] = [];
  const read = async () => {
    const chunk = new Uint8Array(65_536);
    for (let count; (count = await connection.read(chunk).catch(() => null)) !== null;) {
      received.push(...chunk.subarray(0, count));
    }
  };
  const done = read();
  const bytes = new Uint8Array([
    ...new TextEncoder().encode(PREFACE),
    ...frame(TYPES.settings, 0, 0, []),
    ...frames,
  ]);
  try {
    for (let rest = bytes; rest.length > 0;) rest = rest.subarray(await connection.write(rest));
  } catch {
    // Closed in the middle of a flood, as it should be.
  }
  await done;
  connection.close();
  return typesOf(received);
}

function typesOf(bytes: readonly number[]): number[] {
  const types: number[] = [];
  for (let at = 0; at + 9 <= bytes.length;) {
    const [high = 0, middle = 0, low = 0, type = 0] = bytes.slice(at, at + 4);
    types.push(type);
    at += 9 + (high << 16) + (middle << 8) + low;
  }
  return types;
}

async function isServed({ origin }: { readonly origin: string }): Promise<void> {
  const response = await fetch(`${origin}/healthz`);
  await response.body?.cancel();
  assertEquals(response.status, 200);
}

const FLOODS: Readonly<Record<string, (host: string) => number[]>> = {
  "streams that are opened and reset": (host) =>
    Array.from({ length: 5_000 }, (_, index) => [
      ...frame(TYPES.headers, END_HEADERS | END_STREAM, 2 * index + 1, fieldsOf(host)),
      ...frame(TYPES.reset, 0, 2 * index + 1, [0, 0, 0, 8]),
    ]).flat(),
  "fields that never end": (host) => [
    ...frame(TYPES.headers, END_STREAM, 1, fieldsOf(host)),
    ...Array.from(
      { length: 2_000 },
      () => frame(TYPES.continuation, 0, 1, [0, 1, 120, 100, ...Array(100).fill(121)]),
    ).flat(),
  ],
};

for (const [what, flood] of Object.entries(FLOODS)) {
  Deno.test(`Case 66: HTTP/2 with ${what} ends its connection and no other`, () =>
    withServer(async (wire) => {
      const types = await talk(wire, flood(wire.host));
      assert(types.includes(TYPES.settings), "it spoke HTTP/2");
      assert(types.includes(TYPES.goaway), `it was told to go: ${types.slice(0, 20)}`);
      await isServed({ origin: `http://${wire.host}` });
    }));
}
