import * as fc from "fast-check";
import { AppError, type ErrorCode } from "../../../src/shared/errors.ts";
import { checksumOf } from "../../../src/store/checksum.ts";
import { mapDatabaseErrors } from "../../../src/store/sqlite/failures.ts";
import { checkIntegrity } from "../../../src/store/sqlite/integrity.ts";
import { openSqliteStore } from "../../../src/store/sqlite/store.ts";
import type { Store } from "../../../src/store/port.ts";
import { assert, assertEquals, assertRejects, assertThrows } from "../../assert.ts";
import { commentOn, insert, page, receipt, view } from "../samples.ts";
import { rowsOf, runOn, withFile } from "./files.ts";

const DOC = JSON.stringify({ marker: "here it is", text: "é".repeat(40) });
const written = page("p", { doc: DOC });
const bytes = new TextEncoder().encode(DOC);

/** Runs work on a file that holds one page, with nothing left in its log. */
function withPage(work: (path: string) => Promise<void>): Promise<void> {
  return withFile(async (path) => {
    const store = openSqliteStore(path);
    await store.commit("w", insert(written), receipt("k"));
    await store.close();
    await work(path);
  });
}

async function withStore<T>(path: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = openSqliteStore(path);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Returns the position of these bytes in a file; -1 if it has none. */
function find(file: Uint8Array, wanted: Uint8Array): number {
  return file.findIndex((_, at) => wanted.every((byte, index) => file[at + index] === byte));
}

async function damaged(ask: () => Promise<unknown>): Promise<string> {
  const error = await assertRejects(ask, AppError);
  assertEquals(error.code, "data_corrupted");
  return String(error.cause);
}

Deno.test("whatever bit of a stored document is flipped, it is an error and never another text", () =>
  withPage(async (path) => {
    const whole = Deno.readFileSync(path);
    const at = find(whole, bytes);
    assert(at > 0, "the file holds the document as it is");
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(7), async (offset, bit) => {
        const file = whole.slice();
        file[at + offset] = (file[at + offset] ?? 0) ^ (1 << bit);
        Deno.writeFileSync(path, file);
        await withStore(path, async (store) => {
          const cause =
            "DamagedDocument: Stored document p in workspace w does not match its checksum";
          assertEquals(await damaged(() => store.node("w", "p")), cause);
          assertEquals(await damaged(() => store.docs("w", ["p"])), cause);
          assertEquals(await damaged(() => store.firstNodes("w", ["p"])), cause);
          const check = await store.checkDocuments(undefined, 10);
          assertEquals(check.damaged, [{ workspace: "w", id: "p" }]);
        });
      }),
      { numRuns: 40 },
    );
  }));

/** SQLite's result codes, some of them extended. */
const CODES: Readonly<Record<number, ErrorCode>> = {
  5: "service_unavailable",
  8: "storage_read_only",
  10: "data_corrupted",
  11: "data_corrupted",
  13: "storage_full",
  14: "service_unavailable",
  26: "data_corrupted",
  267: "data_corrupted", // CORRUPT_VTAB
  1034: "data_corrupted", // IOERR_FSYNC
  1288: "storage_read_only", // READONLY_DIRECTORY
  4874: "storage_full", // IOERR_SHMSIZE
};

Deno.test("every failure of SQLite is told by its kind, whatever its text is", () => {
  for (const [errcode, code] of Object.entries(CODES)) {
    const failure = Object.assign(new Error("any"), { errcode: Number(errcode) });
    const fail = () => {
      throw failure;
    };
    const error = assertThrows(() => mapDatabaseErrors(fail), AppError);
    assertEquals([error.code, error.cause], [code, failure], errcode);
  }
});

Deno.test("a stored comment that was changed is an error where it is read, and a check names it", () =>
  withPage((path) =>
    withStore(path, async (store) => {
      await store.commit("w", [{ op: "createComment", comment: commentOn("p", "c") }]);
      assertEquals((await store.checkDocuments(undefined, 10)).damaged, []);
      runOn(path, "UPDATE comments SET doc = replace(doc, 'true', 'trve')");
      await damaged(() => store.commentsById("w", ["c"]));
      const { damaged: found } = await store.checkDocuments(undefined, 10);
      assertEquals(found, [{ workspace: "w", id: "c" }]);
    })
  ));

Deno.test("a stored answer that was changed is not sent again", () =>
  withPage(async (path) => {
    runOn(path, "UPDATE receipts SET body = body || ' '");
    await withStore(path, (store) => damaged(() => store.receipt("w", "k", 0)));
  }));

Deno.test("a document from before checksums is read, and gets its own when it is checked", () =>
  withPage(async (path) => {
    runOn(path, "UPDATE nodes SET checksum = NULL");
    await withStore(path, async (store) => {
      assertEquals(await store.node("w", "p"), view(written));
      assertEquals(rowsOf(path, "SELECT checksum FROM nodes"), [{ checksum: null }]);
      await store.checkDocuments(undefined, 10);
      assertEquals(await store.node("w", "p"), view(written));
    });
    assertEquals(rowsOf(path, "SELECT checksum FROM nodes"), [{ checksum: checksumOf(written) }]);
  }));

Deno.test("a document from before checksums that is no JSON is damaged, and stays without one", () =>
  withPage(async (path) => {
    runOn(path, `UPDATE nodes SET checksum = NULL, doc = '{"content":#zzz'`);
    await withStore(path, async (store) => {
      await damaged(() => store.node("w", "p"));
      const { damaged: found } = await store.checkDocuments(undefined, 10);
      assertEquals(found, [{ workspace: "w", id: "p" }]);
    });
    assertEquals(rowsOf(path, "SELECT checksum FROM nodes"), [{ checksum: null }]);
  }));

Deno.test("checkIntegrity() finds nothing in a sound file, also while a server writes to it", () =>
  withPage(async (path) => {
    await withStore(path, async (store) => {
      await store.commit("w", insert(page("q")));
      assertEquals(checkIntegrity(path), []);
    });
  }));

Deno.test("checkIntegrity() says which tables are damaged, and that a file is no database", () =>
  withPage((path) => {
    const [{ rootpage } = {}] = rowsOf(
      path,
      "SELECT rootpage FROM sqlite_schema WHERE name = 'nodes_in_container'",
    );
    using file = Deno.openSync(path, { write: true });
    file.seekSync((Number(rootpage) - 1) * 4096, Deno.SeekMode.Start);
    file.writeSync(new Uint8Array(4096).fill(0xff));
    const findings = checkIntegrity(path);
    assert(
      findings.length > 0 && findings.every((one) => one.startsWith("nodes: ")),
      `${findings}`,
    );
    Deno.writeTextFileSync(path, "not a database, ".repeat(100));
    assertEquals(checkIntegrity(path), ["file is not a database"]);
    return Promise.resolve();
  }));
