import fc from "fast-check";
import { assertEquals } from "../assert.ts";
import { upload } from "../api/file_driver.ts";
import { ORIGIN } from "../support/app.ts";
import { type Wire, withServer } from "../support/socket.ts";

const SIZE = 3_000_001;
/** Far more than a connection holds on its way. */
const LARGE = 32_000_000;

function contentOf(size: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(size).map((_, at) => (at * 31 + (at >> 8) * 7 + (at >> 16)) % 256);
}

/** Uploads a file and answers its address on this server. */
async function serve(wire: Wire, content: Uint8Array<ArrayBuffer>): Promise<string> {
  const id = await upload(wire, content);
  const { json } = await wire.call("POST /v2/pages", {
    body: { parent: { workspace: true }, properties: {}, icon: { file_upload: { id } } },
  });
  return json.icon.file.url.replace(ORIGIN, `http://${wire.host}`);
}

Deno.test("a file of many chunks is sent completely, and so is any range of it", () =>
  withServer(async (wire) => {
    const content = contentOf(SIZE);
    const url = await serve(wire, content);
    assertEquals(await (await fetch(url)).bytes(), content);
    const position = fc.integer({ min: 0, max: SIZE - 1 });
    await fc.assert(
      fc.asyncProperty(position, position, async (one, other) => {
        const [first, last] = [Math.min(one, other), Math.max(one, other)];
        const answer = await fetch(url, { headers: { range: `bytes=${first}-${last}` } });
        assertEquals(answer.status, 206);
        assertEquals(await answer.bytes(), content.subarray(first, last + 1));
      }),
      { numRuns: 20 },
    );
  }));

Deno.test("a client that disconnects or reads nothing leaves no file open", {
  sanitizeResources: true,
}, () =>
  withServer(async (wire) => {
    const url = new URL(await serve(wire, contentOf(LARGE)));
    const request = `GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${wire.host}\r\n\r\n`;
    for (const bytes of [0, 1, 1_000_000]) {
      const connection = await wire.connect();
      await connection.write(request);
      await connection.readSome(bytes);
      connection.close();
    }
    const answer = await fetch(url, { method: "HEAD" });
    assertEquals(answer.headers.get("content-length"), String(LARGE));
  }));
