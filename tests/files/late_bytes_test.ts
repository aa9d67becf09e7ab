/**
 * Bytes that arrive once their upload is complete or deleted.
 *
 * @module
 */
import type { BlobStore } from "../../src/files/blob_store.ts";
import { createDiskBlobStore } from "../../src/files/disk/blob_store.ts";
import { createSigner } from "../../src/files/signing.ts";
import { sweep } from "../../src/files/sweeper.ts";
import type { Store } from "../../src/store/port.ts";
import { announce, answerOf, fetchOwn, filesIn, put } from "../api/file_driver.ts";
import { assertEquals } from "../assert.ts";
import { type Answer, ORIGIN, type TestApp, withApp } from "../support/app.ts";
import { openStore } from "../support/stores.ts";

/** More milliseconds than an upload waits for its bytes. */
const LONG = 24 * 3_600_000;

function blobsOf({ folder }: Pick<TestApp, "folder">): BlobStore {
  const signer = createSigner(new Uint8Array(32));
  const options = { folder: `${folder}/files`, publicUrl: ORIGIN, signer, now: Date.now };
  return createDiskBlobStore(options);
}

/** Sends a form whose file comes only after other requests; `end` ends the form. */
async function postLate(
  app: Pick<TestApp, "app">,
  url: string,
  before: () => Promise<void>,
  end = "--b--",
): Promise<Answer> {
  const field = (name: string, content: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${content}\r\n`;
  async function* form() {
    yield field("part_number", "1");
    await before();
    yield `${field('file"; filename="a.txt', "late")}${end}\r\n`;
  }
  const body = ReadableStream.from(form()).pipeThrough(new TextEncoderStream());
  const headers = { "content-type": "multipart/form-data; boundary=b" };
  return answerOf(await fetchOwn(app, url, { method: "POST", body, headers }));
}

/** The IDs of uploads that have a folder for bytes on their way. */
function incomingIn(folder: string): string[] {
  return [...Deno.readDirSync(`${folder}/files`)].flatMap(({ name }) =>
    [...Deno.readDirSync(`${folder}/files/${name}/incoming`)].map(({ name }) => name)
  );
}

Deno.test("a part that arrives after its upload was completed is a conflict and leaves nothing", () =>
  withApp(async (app) => {
    const { url, completeUrl = "" } = await announce(app, {
      mode: "multi_part",
      number_of_parts: 1,
      filename: "a.txt",
    });
    const { status, json } = await postLate(app, url, async () => {
      assertEquals((await put(app, `${url}&part_number=1`, "first")).status, 200);
      assertEquals((await fetchOwn(app, completeUrl, { method: "POST" })).status, 200);
    });
    assertEquals([status, json.code], [409, "conflict_error"]);
    assertEquals([filesIn(app.folder).length, incomingIn(app.folder)], [1, []]);
  }));

Deno.test("a part that arrives after its upload was deleted is a conflict and leaves nothing", () =>
  withApp(async (app) => {
    const { url } = await announce(app, {
      mode: "multi_part",
      number_of_parts: 1,
      filename: "a.txt",
    });
    const { status } = await postLate(app, url, async () => {
      assertEquals((await put(app, `${url}&part_number=1`, "first")).status, 200);
      await sweep({ store: app.store, blobs: blobsOf(app) }, Date.now() + LONG);
    });
    assertEquals([status, filesIn(app.folder), incomingIn(app.folder)], [409, [], []]);
  }));

Deno.test("a file that arrives after another was uploaded in its place leaves nothing", () =>
  withApp(async (app) => {
    const { url } = await announce(app, { filename: "a.txt" });
    const { status } = await postLate(app, url, async () => {
      assertEquals((await put(app, url, "first")).status, 200);
    });
    assertEquals([status, filesIn(app.folder).length, incomingIn(app.folder)], [409, 1, []]);
  }));

Deno.test("a form that breaks off after another file was uploaded in its place leaves nothing", () =>
  withApp(async (app) => {
    const { url } = await announce(app, { filename: "a.txt" });
    const { status } = await postLate(app, url, async () => {
      assertEquals((await put(app, url, "first")).status, 200);
    }, "");
    assertEquals([status, filesIn(app.folder).length, incomingIn(app.folder)], [400, 1, []]);
  }));

/** A store in which a second request decides to store a file before the first has completed it. */
function overlapping(store: Store, first: Promise<unknown>): Store {
  const second = Promise.withResolvers<void>();
  let stored = 0;
  return {
    ...store,
    commit: async (workspace, changes, receipt) => {
      const isIn = (name: string) => changes.some(({ op }) => op === name);
      if (isIn("completeUpload") && stored === 1) await second.promise;
      const outcome = await store.commit(workspace, changes, receipt);
      if (!isIn("storeUpload") || ++stored === 1) return outcome;
      second.resolve();
      await first;
      return outcome;
    },
  };
}

Deno.test("of two requests that complete a file at once, the second does, and no part is lost", async () => {
  const folder = await Deno.makeTempDir({ prefix: "recto-" });
  const first = Promise.withResolvers<void>();
  const store = overlapping(await openStore(`${folder}/recto.db`), first.promise);
  await withApp(async (app) => {
    const { url, completeUrl = "" } = await announce(app, {
      mode: "multi_part",
      number_of_parts: 1,
      filename: "a.txt",
    });
    await put(app, `${url}&part_number=1`, "a part");
    const complete = async () => {
      const { status } = await fetchOwn(app, completeUrl, { method: "POST" });
      first.resolve();
      return status;
    };
    const statuses = await Promise.all([complete(), complete()]);
    assertEquals(statuses.sort(), [200, 409]);
    assertEquals([filesIn(app.folder).length, incomingIn(app.folder)], [1, []]);
  }, { store });
  await Deno.remove(folder, { recursive: true });
});
