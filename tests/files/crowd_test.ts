import { assert, assertEquals } from "../assert.ts";
import { announce, bytesOf, fetchOwn, filesIn } from "../api/file_driver.ts";
import { ORIGIN, type TestApp, withApp } from "../support/app.ts";

const CLIENTS = 200;
const SIZES = [0, 1, 900, 65_536, 65_537, 300_000, 1_500_000];
const encoder = new TextEncoder();

interface Client {
  readonly content: Uint8Array<ArrayBuffer>;
  readonly isCut: boolean;
  readonly inForm: boolean;
}

/** Bytes of their own for each client, but for those that send the same. */
function contentOf(index: number): Uint8Array<ArrayBuffer> {
  const size = SIZES[index % SIZES.length] ?? 0;
  const seed = index % 10 === 0 ? 0 : index;
  return new Uint8Array(size).map((_, at) => (at * 31 + seed * 7 + (at >> 8) * seed) % 256);
}

const clients: Client[] = Array.from({ length: CLIENTS }, (_, index) => ({
  content: contentOf(index),
  isCut: index % 5 === 3,
  inForm: index % 4 === 1,
}));

function formOf(content: Uint8Array): Uint8Array {
  const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n' +
    "content-type: application/octet-stream\r\n\r\n";
  return new Uint8Array([...encoder.encode(head), ...content, ...encoder.encode("\r\n--b--\r\n")]);
}

/** Sends one request over a connection of its own; a client that is cut leaves half way. */
async function send(port: number, url: string, client: Client): Promise<string> {
  const { content, isCut, inForm } = client;
  const body = inForm ? formOf(content) : content;
  const length = isCut ? Math.max(body.length, 2) : body.length;
  const head = `${inForm ? "POST" : "PUT"} ${url.slice(ORIGIN.length)} HTTP/1.1\r\n` +
    `host: ${new URL(ORIGIN).host}\r\nconnection: close\r\ncontent-length: ${length}\r\n` +
    `content-type: ${
      inForm ? "multipart/form-data; boundary=b" : "application/octet-stream"
    }\r\n\r\n`;
  const connection = await Deno.connect({ hostname: "127.0.0.1", port });
  try {
    await writeAll(connection, encoder.encode(head));
    await writeAll(connection, isCut ? body.subarray(0, length >> 1) : body);
    if (isCut) return "";
    return await new Response(connection.readable).text();
  } finally {
    if (isCut) connection.close();
  }
}

async function writeAll(connection: Deno.TcpConn, bytes: Uint8Array): Promise<void> {
  for (let rest = bytes; rest.length > 0;) rest = rest.subarray(await connection.write(rest));
}

async function hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

/** Shows files in a page, and answers their bytes as they are read back. */
async function readBack(app: TestApp, ids: readonly string[]): Promise<Uint8Array<ArrayBuffer>[]> {
  const pages = [ids.slice(0, 90), ids.slice(90)].map(async (part) => {
    const children = part.map((id) => ({ file: { file_upload: { id } } }));
    const body = { parent: { workspace: true }, properties: {}, children };
    const page = await app.call("POST /v2/pages", { body });
    const list = await app.call(`GET /v2/blocks/${page.json.id}/children`);
    return list.json.results.map((block: { file: { file: { url: string } } }) =>
      block.file.file.url
    );
  });
  const urls: string[] = (await Promise.all(pages)).flat();
  return await Promise.all(urls.map(async (url) => bytesOf(await fetchOwn(app, url))));
}

Deno.test("of 200 concurrent uploads with every fifth client cut off, exactly the others are stored", () =>
  withApp(async (app) => {
    const serving = app.app.handler;
    const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, serving);
    const announced = await Promise.all(clients.map(() => announce(app)));
    const answers = await Promise.all(
      clients.map((client, index) => send(server.addr.port, announced[index]?.url ?? "", client)),
    );
    await server.shutdown();
    const whole = clients.flatMap((client, index) => client.isCut ? [] : [{ ...client, index }]);
    assertEquals(whole.length, 160);
    for (const { index } of whole) {
      assert(answers[index]?.startsWith("HTTP/1.1 200"), answers[index]);
      assert(answers[index]?.includes('"status":"uploaded"'));
    }
    const ids = whole.map(({ index }) => announced[index]?.id ?? "");
    const read = await readBack(app, ids);
    const hashes = await Promise.all(whole.map(({ content }) => hashOf(content)));
    assertEquals(await Promise.all(read.map(hashOf)), hashes);
    // What was cut off is deleted by then; after it the service takes no requests.
    await app.app.drain();
    const kept = filesIn(app.folder).map((name) => name.split("/").at(-1)?.slice(0, 64) ?? "");
    assertEquals(kept.toSorted(), [...new Set(hashes)].toSorted());
  }));
