import { announce, PNG, put } from "../api/file_driver.ts";
import { append, newPage } from "../api/driver.ts";
import { answering, mint, rectoArgs, rectoEnv } from "../bench/processes.ts";
import { freePort } from "../support/ports.ts";
import { assert, assertEquals } from "../assert.ts";
import { ALL_SCOPES, ORIGIN } from "../support/app.ts";
import { type Wire, withServer } from "../support/socket.ts";
import { NEW_PAGE } from "./support.ts";

/** Far beyond what sockets and the server's buffers hold. */
const SIZE = 48 * 1024 * 1024;
const CHUNK = 65_536;
/** Longer than the server waits for what it does not know to be in flight. */
const PAUSE = 5_500;

/** A client that takes an answer as slowly as it likes. */
interface SlowReader extends Disposable {
  /** Bytes that came so far, head and body. */
  readonly total: number;
  /** Reads until so many bytes came, or nothing more does. */
  read(bytes: number): Promise<void>;
}

async function openSlowly(port: number, target: string, token?: string): Promise<SlowReader> {
  const socket = await Deno.connect({ hostname: "127.0.0.1", port });
  const lines = [
    `GET ${target} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
    ...["", ""],
  ];
  await socket.write(new TextEncoder().encode(lines.join("\r\n")));
  const chunk = new Uint8Array(CHUNK);
  let total = 0;
  return {
    get total() {
      return total;
    },
    read: async (bytes) => {
      while (total < bytes) {
        const count = await socket.read(chunk).catch(() => null);
        if (count === null) return;
        total += count;
      }
    },
    [Symbol.dispose]: () => socket.close(),
  };
}

/** A file that is there, by the target that reads it. */
async function storeFile(app: Pick<Wire, "call" | "app">): Promise<string> {
  const { id, url } = await announce(app);
  assertEquals((await put(app, url, new Uint8Array(SIZE), { type: PNG })).status, 200);
  const body = { ...NEW_PAGE, icon: { file_upload: { id } } };
  const { json } = await app.call("POST /v2/pages", { body });
  return json.icon.file.url.slice(ORIGIN.length);
}

Deno.test("a stop lets a long answer come to its end, however slowly its client reads", () =>
  withServer(async (wire) => {
    const { port, stop } = wire;
    const page = await newPage(wire);
    // Addresses, because words would be taken into the search index, which takes a minute.
    const url = `https://recto.test/${"x".repeat(1_900)}`;
    const texts = Array.from({ length: 90 }, (_, n) => ({
      // Of one address, neighbours would be one link.
      text: { content: "x", link: { url: `${url}${n}` } },
    }));
    const block = { paragraph: { rich_text: texts } };
    for (let n = 0; n < 24; n += 1) await append(wire, page, { children: Array(5).fill(block) });
    const token = await wire.mint();
    using reader = await openSlowly(port, `/v2/pages/${page}/content/markdown`, token);
    await reader.read(CHUNK);
    let isStopped = false;
    const stopped = stop().then(() => isStopped = true);
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    assert(!isStopped, `${reader.total} bytes came`);
    await reader.read(Infinity);
    assert(reader.total > 18_000_000, `${reader.total} bytes came`);
    await stopped;
  }));

Deno.test("a stop waits no longer than its grace for a client that reads nothing more", () =>
  withServer(async (wire) => {
    using reader = await openSlowly(wire.port, await storeFile(wire));
    await reader.read(CHUNK);
    await wire.stop();
    await reader.read(Infinity);
    assert(reader.total < SIZE, `${reader.total} bytes came`);
  }, { grace: 200 }));

Deno.test("a stop does not wait for a client that went away in the middle of a download", () =>
  withServer(async (wire) => {
    const reader = await openSlowly(wire.port, await storeFile(wire));
    await reader.read(CHUNK);
    reader[Symbol.dispose]();
    await wire.stop();
  }, { grace: 3_600_000 }));

Deno.test("SIGTERM during a download: the client has all of it, and the process ends with 0", async () => {
  const dataDir = await Deno.makeTempDir({ prefix: "recto-" });
  const port = freePort();
  const child = new Deno.Command(Deno.execPath(), {
    args: rectoArgs(dataDir),
    env: rectoEnv(port, dataDir),
    stdout: "null",
    stderr: "null",
  }).spawn();
  await answering(port);
  const token = await mint(dataDir, ALL_SCOPES);
  const call = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    return await (await fetch(`http://127.0.0.1:${port}${path}`, init)).json();
  };
  const { id, upload_url: url } = await call("/v2/files/upload-url", {});
  const sent = await fetch(url, { method: "PUT", body: new Uint8Array(SIZE) });
  await sent.body?.cancel();
  const page = await call("/v2/pages", { ...NEW_PAGE, icon: { file_upload: { id } } });
  const { pathname, search } = new URL(page.icon.file.url);
  using reader = await openSlowly(port, `${pathname}${search}`);
  await reader.read(CHUNK);
  child.kill("SIGTERM");
  await new Promise((resolve) => setTimeout(resolve, PAUSE));
  await reader.read(Infinity);
  assert(reader.total > SIZE, `${reader.total} bytes came`);
  assertEquals((await child.status).code, 0);
  await Deno.remove(dataDir, { recursive: true });
});
