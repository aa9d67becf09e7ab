import type { Property } from "../../src/content/schema/property.ts";
import type { Change } from "../../src/content/schema/node.ts";
import type { Upload } from "../../src/content/values/uploads.ts";
import type { Store } from "../../src/store/port.ts";
import { assertEquals } from "../assert.ts";
import { done, refused, type StoreTest, W } from "./contract_support.ts";
import { FIRST, insert, LATER, page, person, restore, trash } from "./samples.ts";

const LIFE = 1_000;

function upload(id: string, members: Partial<Upload> = {}): Upload {
  return {
    id,
    status: "pending",
    parts: null,
    filename: null,
    contentType: null,
    contentLength: null,
    blob: null,
    hash: null,
    createdTime: 0,
    createdBy: "ann",
    expiresTime: LIFE,
    life: LIFE,
    sourceUrl: null,
    failure: null,
    ...members,
  };
}

const arrival = { filename: "a", contentType: "text/plain", contentLength: 3 };

/** An id that documents can name: they name uploads by UUID. */
function uuid(n: number): string {
  return `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
}

const [A, B, C] = [uuid(1), uuid(2), uuid(3)];

function completed(uploadId: string, blob: string, hash: string | null = null): Change[] {
  return [
    { op: "storeUpload", uploadId, blob },
    { op: "completeUpload", uploadId, blob, hash, ...arrival },
  ];
}

async function uploaded(store: Store, id: string, hash: string | null = null): Promise<void> {
  await done(store, [
    { op: "createUpload", upload: upload(id) },
    ...completed(id, `blob of ${id}`, hash),
  ]);
}

function showing(...ids: readonly string[]): { readonly doc: string; readonly hasMentions: true } {
  const doc = JSON.stringify(ids.map((upload) => ({ type: "file", file: { upload } })));
  return { doc, hasMentions: true };
}

function edit(id: string, version: number, ...ids: readonly string[]): Change {
  return { op: "update", id, version, title: "", edit: LATER, ...showing(...ids) };
}

function expire(time: number): Change {
  return { op: "expireUploads", time, limit: 10 };
}

async function expiryOf(store: Store, id: string): Promise<number | null | undefined> {
  const [found] = await store.uploads(W, [id]);
  return found?.expiresTime;
}

export function uploadContract(test: StoreTest): void {
  test("an upload is read as it was made, in its workspace alone", async (store) => {
    const made = upload(A, { parts: 2, filename: "ä", contentType: "a/b", contentLength: 7 });
    await done(store, [{ op: "createUpload", upload: made }]);
    assertEquals(await store.uploads(W, [A, B]), [made]);
    assertEquals(await store.uploads("other", [A]), []);
  });

  test("an upload arrives once, with the blob that was recorded before", async (store) => {
    await done(store, [{ op: "createUpload", upload: upload(A) }]);
    const [stored, arrived] = completed(A, "b1", "h");
    if (stored === undefined || arrived === undefined) throw new Error("Two changes");
    await refused(store, [arrived]);
    await done(store, [stored]);
    await refused(store, [{ ...arrived, blob: "b2" } as Change]);
    await done(store, [arrived]);
    const [found] = await store.uploads(W, [A]);
    assertEquals(found, upload(A, { status: "uploaded", blob: "b1", hash: "h", ...arrival }));
    await refused(store, [stored]);
    await refused(store, [arrived]);
    await refused(store, completed(B, "b"));
  });

  test("every change of a user or upload gives it a checksum, which a check finds right", async (store) => {
    const [fetched, failed] = [uuid(4), uuid(5)];
    await store.saveUser(W, person("b"));
    await store.eraseUser(W, "b", 1);
    await store.allowUser(W, "b");
    await store.saveUser(W, person("b", { name: "Bea", email: null }));
    await uploaded(store, A, "h");
    await uploaded(store, B, "h");
    await done(store, [
      { op: "createUpload", upload: upload(fetched, { sourceUrl: "https://a.test" }) },
      ...completed(fetched, "b1"),
    ]);
    await done(store, [
      { op: "createUpload", upload: upload(failed) },
      { op: "failUpload", uploadId: failed, failure: "It is not there" },
    ]);
    await done(store, insert(page("p", showing(A))));
    const first = await store.checkDocuments(undefined, 2);
    assertEquals(first, { checked: 2, damaged: [], next: { workspace: W, id: B } });
    assertEquals(await store.checkDocuments(first.next, 9), {
      checked: 4,
      damaged: [],
      next: undefined,
    });
  });

  test("fileRecords() goes by slices through the stored files of all workspaces", async (store) => {
    for (const id of [C, A]) await uploaded(store, id, "h");
    await uploaded(store, B);
    const onItsWay = { op: "createUpload", upload: upload(uuid(4)) } as const;
    await done(store, [onItsWay, { op: "storeUpload", uploadId: uuid(4), blob: "b" }]);
    await store.commit("other", [{ op: "createUpload", upload: upload(A) }, ...completed(A, "b")]);
    const first = await store.fileRecords(undefined, 3);
    const same = { workspace: W, blob: `blob of ${C}`, contentLength: 3, hash: "h" };
    assertEquals(
      new Set([...first, ...await store.fileRecords(first.at(-1), 3)]),
      new Set([
        { ...same, id: A },
        { ...same, id: C },
        { ...same, id: B, blob: `blob of ${B}`, hash: null },
        { ...same, id: A, workspace: "other", blob: "b", hash: null },
      ]),
    );
    assertEquals((await store.fileRecords(undefined, 1)).length, 1);
  });

  test("a blob that was recorded before becomes an orphan", async (store) => {
    await done(store, [{ op: "createUpload", upload: upload(A) }]);
    await done(store, [{ op: "storeUpload", uploadId: A, blob: "b1" }]);
    await done(store, [{ op: "storeUpload", uploadId: A, blob: "b1" }]);
    assertEquals(await store.orphans(W, 10), []);
    await done(store, completed(A, "b2"));
    assertEquals(await store.orphans(W, 10), [{ uploadId: A, blob: "b1" }]);
    await done(store, [{ op: "deleteOrphans", orphans: [{ uploadId: A, blob: "b1" }] }]);
    assertEquals(await store.orphans(W, 10), []);
  });

  test("bytes that are there already are kept once in a workspace", async (store) => {
    await uploaded(store, A, "h");
    await uploaded(store, B, "h");
    await uploaded(store, C, "other");
    const found = await store.uploads(W, [A, B, C]);
    const blobs = new Map(found.map(({ id, blob }) => [id, blob]));
    assertEquals([A, B, C].map((id) => blobs.get(id)), [
      `blob of ${A}`,
      `blob of ${A}`,
      `blob of ${C}`,
    ]);
    assertEquals(await store.orphans(W, 10), [{ uploadId: B, blob: `blob of ${B}` }]);
    const foreign: Change[] = [
      { op: "createUpload", upload: upload(A) },
      ...completed(A, "own", "h"),
    ];
    assertEquals(await store.commit("other", foreign), "committed");
    assertEquals((await store.uploads("other", [A]))[0]?.blob, "own");
  });

  test("bytes go when the last upload that has them does", async (store) => {
    await uploaded(store, A, "h");
    await uploaded(store, B, "h");
    await done(store, [{ op: "deleteOrphans", orphans: await store.orphans(W, 10) }]);
    await done(store, insert(page("p", showing(B))));
    await done(store, [expire(LIFE)]);
    assertEquals(await store.uploads(W, [A]), []);
    assertEquals(await store.orphans(W, 10), [{ uploadId: A, blob: "" }]);
    await done(store, [edit("p", 1)]);
    await done(store, [expire(LATER.time + LIFE)]);
    assertEquals(await store.uploads(W, [B]), []);
    assertEquals((await store.orphans(W, 10)).at(-1), { uploadId: B, blob: `blob of ${A}` });
  });

  test("uploads that expire together leave their bytes once", async (store) => {
    await uploaded(store, A, "h");
    await uploaded(store, B, "h");
    await done(store, [{ op: "deleteOrphans", orphans: await store.orphans(W, 10) }]);
    await done(store, [expire(LIFE)]);
    const blobs = new Set((await store.orphans(W, 10)).map(({ blob }) => blob));
    assertEquals(blobs, new Set([`blob of ${A}`]));
  });

  test("what a document refers to lives, in the trash too, until the last document lets go", async (store) => {
    await uploaded(store, A);
    await done(store, insert(page("p", showing(A)), page("q", showing(A, A))));
    assertEquals(await expiryOf(store, A), null);
    await done(store, [expire(1e9)]);
    await done(store, [trash("p"), expire(1e9)]);
    await done(store, [edit("q", 1), expire(1e9)]);
    assertEquals(await expiryOf(store, A), null);
    await done(store, [restore("p"), edit("p", 3)]);
    assertEquals(await expiryOf(store, A), LATER.time + LIFE);
    await done(store, [edit("q", 2, A)]);
    assertEquals(await expiryOf(store, A), null, "it can be taken up again");
    await done(store, [edit("q", 3), expire(LATER.time + LIFE - 1)]);
    assertEquals(await expiryOf(store, A), LATER.time + LIFE);
    await done(store, [expire(LATER.time + LIFE)]);
    assertEquals(await store.uploads(W, [A]), []);
  });

  test("a document refers to no upload that is unknown, unsent or gone: nothing is written", async (store) => {
    await done(store, [{ op: "createUpload", upload: upload(A) }]);
    await uploaded(store, B);
    await done(store, insert(page("p")));
    await done(store, [expire(LIFE)]);
    await done(store, [{ op: "createUpload", upload: upload(A) }]);
    for (const id of [A, B, C]) {
      await refused(store, insert(page("q", showing(id))));
      await refused(store, [edit("p", 1, id)]);
    }
    assertEquals(await store.node(W, "q"), undefined);
    assertEquals((await store.node(W, "p"))?.version, 1);
    const foreign = insert(page("r", showing(A)));
    assertEquals(await store.commit("other", foreign), "conflict");
  });

  test("rewriting rows lets go of what they show no more", async (store) => {
    await uploaded(store, A);
    const row = page("row", {
      parentKind: "database",
      parentId: "d",
      containerId: "d",
      ...showing(A),
      doc: JSON.stringify({
        cover: null,
        icon: null,
        values: { files: [{ type: "file", file: { upload: A } }] },
      }),
    });
    await done(store, insert(page("d", { kind: "database", type: "child_database" }), row));
    const named = { id: "files", name: "Files", description: null };
    const before: Property[] = [{ ...named, type: "files" }];
    const after: Property[] = [{ ...named, type: "checkbox" }];
    const change = { databaseId: "d", time: 5_000, before, after, isNumbered: false };
    await done(store, [{ op: "reshape", ...change }]);
    assertEquals(await expiryOf(store, A), 5_000 + LIFE);
  });

  test("expireUploads deletes the oldest uploads first, up to its limit", async (store) => {
    const all = [uuid(5), uuid(6), uuid(7)];
    await done(
      store,
      all.map((id, index) => ({
        op: "createUpload",
        upload: upload(id, { expiresTime: 30 - index }),
      })),
    );
    await done(store, [{ op: "expireUploads", time: 30, limit: 2 }]);
    assertEquals((await store.uploads(W, all)).map(({ id }) => id), [uuid(5)]);
  });

  test("an upload whose bytes cannot be fetched says why, until they are there", async (store) => {
    const sourceUrl = "https://files.example/a";
    await done(store, [{ op: "createUpload", upload: upload(A, { sourceUrl }) }]);
    await done(store, [{ op: "failUpload", uploadId: A, failure: "404" }]);
    assertEquals(await store.uploads(W, [A]), [upload(A, { sourceUrl, failure: "404" })]);
    await uploaded(store, B);
    await refused(store, [{ op: "failUpload", uploadId: B, failure: "404" }]);
    await refused(store, [{ op: "failUpload", uploadId: C, failure: "404" }]);
    assertEquals(
      await store.commit("other", [{ op: "failUpload", uploadId: A, failure: "x" }]),
      "conflict",
    );
  });

  test("the uploads of a user are listed, the latest first, page by page", async (store) => {
    for (const [id, createdBy] of [[A, "ann"], [B, "bob"], [C, "ann"]] as const) {
      await done(store, [{ op: "createUpload", upload: upload(id, { createdBy }) }]);
    }
    const list = async (by: string, limit: number, before?: string) =>
      (await store.ownUploads(W, by, { before, limit })).map(({ id }) => id);
    assertEquals(await list("ann", 9), [C, A]);
    assertEquals(await list("ann", 1), [C]);
    assertEquals(await list("ann", 9, C), [A]);
    assertEquals(await list("bob", 9), [B]);
    assertEquals(await store.ownUploads("other", "ann", { limit: 9 }), []);
  });

  test("workspaces that need a sweep are found one after the other", async (store) => {
    assertEquals(await store.sweepable(""), undefined);
    await uploaded(store, A);
    await store.commit("a", [{ op: "createUpload", upload: upload(A) }]);
    assertEquals(await store.sweepable(""), "a");
    assertEquals(await store.sweepable("a"), W);
    await done(store, insert(page("p", { ...showing(A), editedTime: FIRST.time })));
    assertEquals(await store.sweepable("a"), undefined);
    await store.commit("a", [expire(LIFE)]);
    assertEquals(await store.sweepable(""), "a", "it has orphaned blobs");
    await store.commit("a", [{ op: "deleteOrphans", orphans: await store.orphans("a", 10) }]);
    assertEquals(await store.sweepable(""), undefined);
  });
}
