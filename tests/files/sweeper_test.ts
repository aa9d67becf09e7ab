import { dirname } from "node:path";
import { createDiskBlobStore } from "../../src/files/disk/blob_store.ts";
import type { BlobStore } from "../../src/files/blob_store.ts";
import { createSigner } from "../../src/files/signing.ts";
import { deleteUnfinished, sweep } from "../../src/files/sweeper.ts";
import type { Store } from "../../src/store/port.ts";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import { assert, assertEquals, assertRejects } from "../assert.ts";
import { announce, fetchOwn, filesIn, put, upload } from "../api/file_driver.ts";
import { refusal } from "../api/driver.ts";
import { ORIGIN, type TestApp, withApp } from "../support/app.ts";
import { openStore } from "../support/stores.ts";

const HOUR = 3_600_000;

function shelfOf({ folder }: Pick<TestApp, "folder">): BlobStore {
  const signer = createSigner(new Uint8Array(32));
  return createDiskBlobStore({
    folder: `${folder}/files`,
    publicUrl: ORIGIN,
    signer,
    now: Date.now,
  });
}

/** Does the work of the sweeper of another process. */
async function sweepElsewhere(app: TestApp, now: number): Promise<void> {
  const store = openSqliteStore(`${app.folder}/recto.db`);
  try {
    await sweep({ store, blobs: shelfOf(app) }, now);
  } finally {
    await store.close();
  }
}

function withIcon(id: string): object {
  return { parent: { workspace: true }, properties: {}, icon: { file_upload: { id } } };
}

Deno.test("sweep() deletes expired files without references, and no others", () =>
  withApp(async (app) => {
    const now = Date.now();
    const kept = await upload(app, "kept");
    const page = await app.call("POST /v2/pages", { body: withIcon(kept) });
    const idle = await upload(app, "idle");
    await announce(app);
    const parts = await announce(app, { mode: "multi_part", number_of_parts: 2 });
    await put(app, `${parts.url}&part_number=1`, "a part");
    assertEquals(filesIn(app.folder).length, 3);
    await sweep({ store: app.store, blobs: shelfOf(app) }, now + HOUR - 1_000);
    assertEquals(filesIn(app.folder).length, 3, "not before its time");
    await sweep({ store: app.store, blobs: shelfOf(app) }, now + 2 * HOUR);
    assertEquals(filesIn(app.folder).length, 1);
    assertEquals(await (await fetchOwn(app, page.json.icon.file.url)).text(), "kept");
    const gone = await app.call("POST /v2/pages", { body: withIcon(idle) });
    assertEquals(refusal(gone), [400, "validation_error"]);
    assertEquals((await put(app, parts.url, "x")).status, 404);
  }));

Deno.test("sweep() deletes a file once nothing refers to it, not while the trash does", () =>
  withApp(async (app) => {
    const now = Date.now();
    const options = { store: app.store, blobs: shelfOf(app) };
    const page = await app.call("POST /v2/pages", { body: withIcon(await upload(app)) });
    const route = `/v2/pages/${page.json.id}`;
    await app.call(`DELETE ${route}`);
    await sweep(options, now + 100 * HOUR);
    const back = await app.call(`PATCH ${route}`, { body: { in_trash: false } });
    assertEquals((await fetchOwn(app, back.json.icon.file.url)).status, 200);
    await app.call(`PATCH ${route}`, { body: { icon: null } });
    await sweep(options, now + HOUR - 1_000);
    assertEquals(
      (await fetchOwn(app, page.json.icon.file.url)).status,
      200,
      "its address is valid",
    );
    await sweep(options, now + 2 * HOUR);
    assertEquals(filesIn(app.folder), []);
  }));

Deno.test("while two processes sweep and a third attaches, exactly the attached files stay", () =>
  withApp(async (app) => {
    const later = Date.now() + 2 * HOUR;
    for (let round = 0; round < 10; round++) {
      const ids = await Promise.all(
        Array.from({ length: 10 }, (_, index) => upload(app, `${round} ${index >> 1}`)),
      );
      const [answers] = await Promise.all([
        Promise.all(ids.map((id) => app.call("POST /v2/pages", { body: withIcon(id) }))),
        sweepElsewhere(app, later),
        sweepElsewhere(app, later),
      ]);
      const attached = answers.filter(({ status }) => status === 200);
      for (const { json } of attached) {
        assertEquals((await fetchOwn(app, json.icon.file.url)).status, 200);
      }
      for (const answer of answers.filter(({ status }) => status !== 200)) {
        assertEquals(refusal(answer), [400, "validation_error"]);
      }
      const shown = new Set(attached.map(({ json }) => json.icon.file.url));
      for (const { json } of attached) {
        await app.call(`PATCH /v2/pages/${json.id}`, { body: { icon: null } });
      }
      assert(filesIn(app.folder).length <= shown.size);
      await sweepElsewhere(app, later + 2 * HOUR);
      assertEquals(filesIn(app.folder), []);
    }
  }));

/** A shelf on which something happens between the decision to remove bytes and the removal. */
function interrupted(blobs: BlobStore, happen: () => Promise<void>): BlobStore {
  let once = happen;
  return {
    ...blobs,
    remove: async (...what) => {
      const now = once;
      once = () => Promise.resolve();
      await now();
      await blobs.remove(...what);
    },
  };
}

Deno.test("bytes that are uploaded again just before their deletion are stored", () => {
  let now = Date.now();
  return withApp(async (app) => {
    const first = await upload(app, "the same");
    now += 2 * HOUR;
    const token = await app.mint();
    const again = await announce(app, {}, token);
    const blobs = interrupted(shelfOf(app), async () => {
      assertEquals(
        (await app.call("POST /v2/pages", { token, body: withIcon(first) })).status,
        400,
      );
      assertEquals((await put(app, again.url, "the same")).status, 200);
    });
    await sweep({ store: app.store, blobs }, now);
    assertEquals(filesIn(app.folder).length, 1);
    const page = await app.call("POST /v2/pages", { token, body: withIcon(again.id) });
    assertEquals(await (await fetchOwn(app, page.json.icon.file.url)).text(), "the same");
  }, { now: () => now });
});

/** A store that breaks before so many files arrive. */
function breaking(store: Store, times: number): Store {
  let left = times;
  return {
    ...store,
    commit: async (workspace, changes, receipt) => {
      if (changes.some(({ op }) => op === "completeUpload") && left-- > 0) {
        throw new Error("broken");
      }
      return await store.commit(workspace, changes, receipt);
    },
  };
}

Deno.test("bytes that arrive after broken attempts, one with the same bytes, are stored", async () => {
  const folder = await Deno.makeTempDir({ prefix: "recto-" });
  const store = breaking(await openStore(`${folder}/recto.db`), 2);
  await withApp(async (app) => {
    const { id, url } = await announce(app);
    const statuses: number[] = [];
    for (const bytes of ["these", "those", "these"]) {
      statuses.push((await put(app, url, bytes)).status);
    }
    assertEquals(statuses, [500, 500, 200]);
    const page = await app.call("POST /v2/pages", { body: withIcon(id) });
    await sweep({ store, blobs: shelfOf(app) }, Date.now());
    assertEquals(await (await fetchOwn(app, page.json.icon.file.url)).text(), "these");
    assertEquals(filesIn(app.folder).length, 1);
  }, { store });
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a sweep keeps the parts of a file that two broken attempts did not complete", async () => {
  const folder = await Deno.makeTempDir({ prefix: "recto-" });
  const store = breaking(await openStore(`${folder}/recto.db`), 2);
  await withApp(async (app) => {
    const { url, completeUrl = "" } = await announce(app, {
      mode: "multi_part",
      number_of_parts: 1,
      filename: "a.txt",
    });
    await put(app, `${url}&part_number=1`, "a part");
    const complete = async () => (await fetchOwn(app, completeUrl, { method: "POST" })).status;
    assertEquals([await complete(), await complete()], [500, 500]);
    await sweep({ store, blobs: shelfOf(app) }, Date.now());
    assertEquals(await complete(), 200);
  }, { store });
  await Deno.remove(folder, { recursive: true });
});

/** A blob store that cannot delete the blobs of a workspace. */
function failing(blobs: BlobStore, broken: string): BlobStore {
  return {
    ...blobs,
    remove: async (workspace, orphan) => {
      if (workspace === broken) throw new Error("cannot be deleted");
      await blobs.remove(workspace, orphan);
    },
  };
}

Deno.test("a file that cannot be deleted does not keep those of other workspaces, and is tried again", () =>
  withApp(async (app) => {
    for (const workspace of ["a", "b"]) {
      const { url } = await announce(app, {}, await app.mint({ workspace }));
      assertEquals((await put(app, url, "idle")).status, 200);
    }
    const later = Date.now() + 2 * HOUR;
    const blobs = failing(shelfOf(app), "a");
    await assertRejects(
      () => sweep({ store: app.store, blobs }, later),
      Error,
      "cannot be deleted",
    );
    assertEquals([filesIn(app.folder).length, await app.store.sweepable("")], [1, "a"]);
    await sweep({ store: app.store, blobs: shelfOf(app) }, later);
    assertEquals(filesIn(app.folder), []);
  }));

Deno.test("a sweep that is to stop leaves the rest to the next one", () =>
  withApp(async (app) => {
    const [kept, left] = [await upload(app, "first"), await upload(app, "second")];
    const later = Date.now() + 2 * HOUR;
    const stopped = new AbortController();
    const blobs = interrupted(shelfOf(app), () => Promise.resolve(stopped.abort()));
    await sweep({ store: app.store, blobs, signal: stopped.signal }, later);
    assertEquals(filesIn(app.folder).length, 1, `${kept} alone is deleted, and not ${left}`);
    await sweep({ store: app.store, blobs: shelfOf(app) }, later);
    assertEquals(filesIn(app.folder), []);
  }));

Deno.test("the start deletes what a crash left of completed and deleted uploads, and no parts of others", () =>
  withApp(async (app) => {
    const announced = { mode: "multi_part", number_of_parts: 2, filename: "a.txt" };
    const pending = await announce(app, announced);
    await put(app, `${pending.url}&part_number=1`, "a part");
    const complete = await upload(app, "complete");
    const [part = ""] = filesIn(app.folder).filter((path) => path.endsWith("/part-1"));
    for (const id of [complete, crypto.randomUUID()]) {
      const left = `${app.folder}/${part}`.replace(pending.id, id);
      await Deno.mkdir(dirname(left));
      await Deno.writeTextFile(left, "left");
    }
    const { local } = shelfOf(app);
    assert(local !== undefined);
    await deleteUnfinished({ store: app.store, blobs: local });
    assertEquals(await local.unfinished("default"), [pending.id]);
    assertEquals(filesIn(app.folder).length, 2);
  }));
