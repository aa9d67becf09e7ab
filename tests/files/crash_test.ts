import { createDiskBlobStore } from "../../src/files/disk/blob_store.ts";
import { createSigner } from "../../src/files/signing.ts";
import { sweep } from "../../src/files/sweeper.ts";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import { filesIn } from "../api/file_driver.ts";
import { assert, assertEquals } from "../assert.ts";
import { answering, baseUrl, mint, rectoArgs, rectoEnv } from "../bench/processes.ts";
import { freePort } from "../support/ports.ts";

const SIZE = 400_000;
/** The part of each upload that came before the end of the server. */
const PARTS = [0, 0.2, 0.4, 0.6, 0.8, 0.99, 1, 1];
const HOURS = 3 * 3_600_000;

/** The real server on a folder, which may be one that an earlier one left. */
async function start(port: number, folder: string): Promise<Deno.ChildProcess> {
  const child = new Deno.Command(Deno.execPath(), {
    args: rectoArgs(folder),
    env: rectoEnv(port, folder),
    stdout: "null",
    stderr: "null",
  }).spawn();
  await answering(port);
  return child;
}

async function end(child: Deno.ChildProcess, signal: Deno.Signal): Promise<void> {
  child.kill(signal);
  await child.status;
}

function contentOf(index: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(SIZE).map((_, at) => (at * 31 + index * 7) % 256);
}

async function hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

/** Begins to send a file, and leaves the connection open. */
async function begin(
  url: string,
  content: Uint8Array,
  part: number,
): Promise<Deno.TcpConn> {
  const { host, hostname, port, pathname, search } = new URL(url);
  const connection = await Deno.connect({ hostname, port: Number(port) });
  const head = `PUT ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\n` +
    `Content-Length: ${content.length}\r\n\r\n`;
  const parts = [new TextEncoder().encode(head), content.subarray(0, content.length * part)];
  for (let rest of parts) {
    while (rest.length > 0) rest = rest.subarray(await connection.write(rest));
  }
  return connection;
}

async function until(isReached: () => boolean): Promise<void> {
  while (!isReached()) await new Promise((resolve) => setTimeout(resolve, 5));
}

async function sweepLater(folder: string): Promise<void> {
  const signer = createSigner(new Uint8Array(32));
  const blobs = createDiskBlobStore({
    folder: `${folder}/files`,
    publicUrl: "",
    signer,
    now: Date.now,
  });
  const store = openSqliteStore(`${folder}/recto.db`);
  try {
    await sweep({ store, blobs }, Date.now() + HOURS);
  } finally {
    await store.close();
  }
}

Deno.test("after a crash each upload is complete or missing, and leftover files are deleted", async () => {
  const folder = await Deno.makeTempDir({ prefix: "recto-" });
  const port = freePort();
  let server = await start(port, folder);
  const token = await mint(folder, "pages.read pages.write");
  const call = async (path: string, body: object) => {
    const response = await fetch(`${baseUrl(port)}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return { status: response.status, json: await response.json() };
  };
  const show = (id: string) =>
    call("/v2/pages", {
      parent: { workspace: true },
      properties: {},
      icon: { file_upload: { id } },
    });
  try {
    const uploads = await Promise.all(PARTS.map(async (part, index) => {
      const { json: { id, upload_url: url } } = await call("/v2/files/upload-url", {});
      return { part, id, url, content: contentOf(index) };
    }));
    const connections = await Promise.all(
      uploads.map(({ url, content, part }) => begin(url, content, part)),
    );
    await until(() => filesIn(folder).length >= PARTS.length);
    await end(server, "SIGKILL");
    for (const connection of connections) connection.close();
    assert(filesIn(folder).some((name) => name.includes("/incoming/")), "it was killed half way");

    server = await start(port, folder);
    const whole: string[] = [];
    for (const [index, { part, id, url, content }] of uploads.entries()) {
      let shown = await show(id);
      assert(shown.status === 400 || part === 1, "half a file is none");
      if (shown.status === 400) {
        if (index % 2 === 0) continue;
        const sent = await fetch(url, { method: "PUT", body: content });
        assertEquals((await sent.json()).status, "uploaded", "it can be sent again");
        shown = await show(id);
      }
      const read = await fetch(shown.json.icon.file.url);
      assertEquals(await read.bytes(), content);
      whole.push(await hashOf(content));
    }
    await sweepLater(folder);
    const kept = filesIn(folder).map((name) => name.split("/").at(-1)?.slice(0, 64) ?? "");
    assertEquals(kept.toSorted(), whole.toSorted());
  } finally {
    await end(server, "SIGTERM");
    await Deno.remove(folder, { recursive: true });
  }
});
