import * as fc from "fast-check";
import { AppError, type ErrorCode } from "../../../src/shared/errors.ts";
import { checksumOf } from "../../../src/store/checksum.ts";
import { mapDatabaseErrors } from "../../../src/store/sqlite/failures.ts";
import { checkIntegrity } from "../../../src/store/sqlite/integrity.ts";
import { openSqliteStore } from "../../../src/store/sqlite/store.ts";
import type { Store } from "../../../src/store/port.ts";
import { assert, assertEquals, assertRejects, assertThrows } from "../../assert.ts";
import {
  block,
  commentOn,
  completeClaims,
  insert,
  moveInto,
  page,
  pendingUpload,
  person,
  receipt,
  RECORD_DAMAGE,
  restore,
  trash,
  view,
} from "../samples.ts";
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

/** Runs work on a file that holds a user and an upload. */
function withRecords(work: (path: string, store: Store) => Promise<void>): Promise<void> {
  return withFile((path) =>
    withStore(path, async (store) => {
      await store.saveUser("w", completeClaims("ann"));
      await store.commit("w", [{ op: "createUpload", upload: pendingUpload("u") }]);
      await work(path, store);
    })
  );
}

for (const change of RECORD_DAMAGE.users) {
  Deno.test(`a stored user with ${change} is an error, a check names it, and a complete token repairs it`, () =>
    withRecords(async (path, store) => {
      runOn(path, `UPDATE users SET ${change}`);
      await damaged(() => store.user("w", "ann"));
      await damaged(() => store.users("w", ["ann"]));
      await damaged(() => store.usersAfter("w", undefined, 9));
      await damaged(() => store.listUsers(undefined, 9));
      const { damaged: found } = await store.checkDocuments(undefined, 10);
      assertEquals(found, [{ workspace: "w", id: "ann" }]);
      await store.saveUser("w", completeClaims("ann"));
      assertEquals((await store.user("w", "ann"))?.name, "Ann");
    }));
}

Deno.test("a token that leaves a column out does not hide that a stored user is damaged", () =>
  withRecords(async (path, store) => {
    runOn(path, "UPDATE users SET avatar_url = 'https://b.test/ann'");
    await store.saveUser("w", person("ann", { name: "Ann B." }));
    await damaged(() => store.user("w", "ann"));
  }));

for (const change of RECORD_DAMAGE.uploads) {
  Deno.test(`a stored upload with ${change} is an error, and a check names it`, () =>
    withRecords(async (path, store) => {
      runOn(path, `UPDATE uploads SET ${change}`);
      await damaged(() => store.uploads("w", ["u"]));
      await damaged(() => store.ownUploads("w", "ann", { limit: 9 }));
      const { damaged: found } = await store.checkDocuments(undefined, 10);
      assertEquals(found, [{ workspace: "w", id: "u" }]);
    }));
}

Deno.test("users and uploads from before checksums are read, and get theirs when they are checked", () =>
  withRecords(async (path, store) => {
    const checksums = "SELECT checksum FROM users UNION ALL SELECT checksum FROM uploads";
    const before = rowsOf(path, checksums);
    assert(before.every(({ checksum }) => typeof checksum === "number"));
    runOn(path, "UPDATE users SET checksum = NULL; UPDATE uploads SET checksum = NULL");
    assertEquals(await store.uploads("w", ["u"]), [pendingUpload("u")]);
    assertEquals((await store.user("w", "ann"))?.name, "Ann");
    assertEquals((await store.checkDocuments(undefined, 10)).damaged, []);
    assertEquals(rowsOf(path, checksums), before);
  }));

Deno.test("a move into a circular tree ends, and what is in the tree does not move within it", () =>
  withPage((path) =>
    withStore(path, async (store) => {
      await store.commit("w", insert(page("a"), page("b"), page("c")));
      runOn(
        path,
        `UPDATE nodes SET parent_kind = 'page', parent_id = iif(id = 'a', 'b', 'a')
        WHERE id IN ('a', 'b')`,
      );
      assertEquals(await store.commit("w", [moveInto("a", "c")]), "committed");
      assertEquals(await store.commit("w", [moveInto("b", "a")]), "conflict");
      assertEquals((await store.node("w", "c"))?.parentId, "a");
    })
  ));

Deno.test("checkIntegrity() finds nothing in a sound file, also while a server writes to it", () =>
  withPage(async (path) => {
    await withStore(path, async (store) => {
      await store.commit("w", insert(page("q")));
      assertEquals(checkIntegrity(path, "quick_check"), []);
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
    const findings = checkIntegrity(path, "quick_check");
    assert(
      findings.length > 0 && findings.every((one) => one.startsWith("nodes: ")),
      `${findings}`,
    );
    Deno.writeTextFileSync(path, "not a database, ".repeat(100));
    assertEquals(checkIntegrity(path, "quick_check"), ["file is not a database"]);
    return Promise.resolve();
  }));

Deno.test("a damaged block keeps nothing that it is in from leaving the trash", () =>
  withFile(async (path) => {
    const nodes = [
      page("p"),
      block("toggle", "p", { parentKind: "page" }),
      block("inner", "toggle"),
    ]
      .map((node) => ({ ...node, containerId: node.id === "p" ? null : "p" }));
    await withStore(path, async (store) => {
      await store.commit("w", insert(...nodes));
      await store.commit("w", [trash("toggle")]);
    });
    runOn(path, "UPDATE nodes SET doc = '{' WHERE id = 'inner'");
    await withStore(path, async (store) => {
      assertEquals(await store.commit("w", [restore("toggle")]), "committed");
      assertEquals((await store.node("w", "toggle"))?.trashRoot, null);
      assertEquals(
        await damaged(() => store.node("w", "inner")),
        "DamagedDocument: Stored document inner in workspace w does not match its checksum",
      );
    });
  }));
