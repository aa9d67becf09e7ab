/**
 * The part of the store's contract about totals over all workspaces.
 *
 * @module
 */
import type { Upload } from "../../src/content/values/uploads.ts";
import { countFiles } from "../../src/maintenance/housekeeping.ts";
import type { Store } from "../../src/store/port.ts";
import { assertEquals } from "../assert.ts";
import { done, type StoreTest } from "./contract_support.ts";
import { insert, page } from "./samples.ts";

/** Registers what backlogs and totals of files are held to. */
export function totalContract(test: StoreTest): void {
  test("backlogs() counts what is due in all workspaces, up to a number", async (store) => {
    assertEquals(await store.backlogs(10), { vectors: 0, words: 0, orphans: 0 });
    await done(store, insert(page("a"), page("b")));
    await store.commit("other", insert(page("c")));
    assertEquals((await store.backlogs(10)).vectors, 3);
    assertEquals((await store.backlogs(2)).vectors, 2);
  });

  test("filePortion() counts the files of all workspaces that have bytes", async (store) => {
    for (const [workspace, id] of [["a", "1"], ["a", "2"], ["b", "1"]] as const) {
      await uploaded(store, workspace, id);
    }
    await store.commit("b", [{ op: "createUpload", upload: pending("2") }]);
    const first = await store.filePortion(undefined, 2);
    assertEquals(first, { files: 2, bytes: 6, last: { workspace: "a", id: "2" } });
    const second = await store.filePortion(first.last, 2);
    assertEquals(second, { files: 1, bytes: 3, last: { workspace: "b", id: "2" } });
    assertEquals(await store.filePortion(second.last, 2), { files: 0, bytes: 0, last: undefined });
    assertEquals(await countFiles(store, () => Promise.resolve()), { files: 3, bytes: 9 });
  });
}

function pending(id: string): Upload {
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
    expiresTime: 1_000,
    life: 1_000,
    sourceUrl: null,
    failure: null,
  };
}

async function uploaded(store: Store, workspace: string, id: string): Promise<void> {
  const arrival = { filename: "a", contentType: "text/plain", contentLength: 3, hash: null };
  const blob = `blob of ${workspace} ${id}`;
  await store.commit(workspace, [
    { op: "createUpload", upload: pending(id) },
    { op: "storeUpload", uploadId: id, blob },
    { op: "completeUpload", uploadId: id, blob, ...arrival },
  ]);
}
