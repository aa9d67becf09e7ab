import { DatabaseSync } from "node:sqlite";
import { copyLog, cutLog, leaveLog, openConnection } from "../../../src/store/sqlite/connection.ts";
import { openSqliteStore } from "../../../src/store/sqlite/store.ts";
import { assert, assertEquals } from "../../assert.ts";
import { eventually } from "../../support/eventually.ts";
import { insert, page, view } from "../samples.ts";
import { rowsOf, withFile } from "./files.ts";

/** As `journal_size_limit` says. */
const LIMIT = 64 * 2 ** 20;
const WRITES = 80;
/** Far more than there are while the log is copied into the file. */
const SMALL_WRITES = 5_000;
const DOC = JSON.stringify("x".repeat(2 ** 20));

function sizeOf(path: string): number {
  return Deno.statSync(path).size;
}

Deno.test("Case 80: a reader that holds the log stops no write, and the log shrinks once it is gone", () =>
  withFile(async (path) => {
    const store = openSqliteStore(path);
    const reader = new DatabaseSync(path);
    reader.exec("BEGIN");
    reader.prepare("SELECT count(*) FROM nodes").get();
    for (let write = 0; write < WRITES; write++) {
      const changes = insert(page(`p${write}`, { doc: DOC }));
      assertEquals(await store.commit("w", changes), "committed");
    }
    assert(sizeOf(`${path}-wal`) > LIMIT, "the reader keeps all of it in the log");
    assertEquals(reader.prepare("SELECT count(*) AS n FROM nodes").get(), { n: 0 });
    reader.exec("COMMIT");
    // One of them brings the log into the file, and the next begins it anew.
    let small = 0;
    while (sizeOf(`${path}-wal`) > LIMIT && small < SMALL_WRITES) {
      await store.commit("w", insert(page(`small${small++}`)));
    }
    assert(sizeOf(`${path}-wal`) <= LIMIT, `the log has ${sizeOf(`${path}-wal`)} bytes`);
    reader.close();
    assertEquals(await store.node("w", "p0"), view(page("p0", { doc: DOC })));
    await store.close();
    assertEquals(rowsOf(path, "SELECT count(*) AS n FROM nodes"), [{
      n: WRITES + small,
    }]);
  }));

Deno.test("a long write leaves a short log", () =>
  withFile(async (path) => {
    const store = openSqliteStore(path);
    const ids = Array.from({ length: WRITES }, (_, index) => `p${index}`);
    const changes = insert(...ids.map((id) => page(id, { doc: DOC })));
    assertEquals(await store.commit("w", changes), "committed");
    await eventually(() => {
      assert(sizeOf(`${path}-wal`) <= LIMIT, `the log has ${sizeOf(`${path}-wal`)} bytes`);
      return Promise.resolve();
    });
    await store.close();
    assertEquals(rowsOf(path, "SELECT count(*) AS n FROM nodes"), [{ n: WRITES }]);
  }));

Deno.test("the thread of the requests never cuts the log, and the other one a part at a time", () =>
  withFile((path) => {
    const [other, own] = [openConnection(path), openConnection(path)];
    leaveLog(own);
    other.db.exec("CREATE TABLE t (x BLOB)");
    leaveLog(other);
    other.db.exec(`INSERT INTO t VALUES (zeroblob(${2.5 * LIMIT}))`);
    copyLog(other);
    const size = sizeOf(`${path}-wal`);
    assert(size > 2.5 * LIMIT);
    own.transaction(() => own.db.exec("INSERT INTO t VALUES (x'00')"));
    assertEquals(sizeOf(`${path}-wal`), size);
    assertEquals([cutLog(other, path), sizeOf(`${path}-wal`)], [true, size - LIMIT]);
    own.transaction(() => own.db.exec("INSERT INTO t VALUES (x'00')"));
    assertEquals([cutLog(other, path), sizeOf(`${path}-wal`)], [false, LIMIT]);
    assertEquals([cutLog(other, path), sizeOf(`${path}-wal`)], [false, LIMIT]);
    for (const { close } of [own, other]) close();
    assertEquals(rowsOf(path, "SELECT count(*) AS n FROM t"), [{ n: 3 }]);
  }));

Deno.test("Case 80: a log that is cut or gone after a crash takes its last commits with it, and each whole", () =>
  withFile(async (path) => {
    const store = openSqliteStore(path);
    const ids = Array.from({ length: 20 }, (_, write) => `p${write}`);
    for (const id of ids) await store.commit("w", insert(page(id)));
    const [file, log] = [path, `${path}-wal`].map((one) => Deno.readFileSync(one));
    await store.close();
    assert(file !== undefined && log !== undefined);
    const found = [1, 0.95, 0.9, 0.5, 0].map((part) => {
      const copy = `${path}.${part}`;
      Deno.writeFileSync(copy, file);
      Deno.writeFileSync(`${copy}-wal`, log.subarray(0, Math.floor(log.length * part)));
      openSqliteStore(copy).close();
      assertEquals(rowsOf(copy, "PRAGMA integrity_check"), [{ integrity_check: "ok" }]);
      const rows = rowsOf(copy, "SELECT id FROM nodes ORDER BY rowid");
      assertEquals(rows.map(({ id }) => id), ids.slice(0, rows.length));
      return rows.length;
    });
    assertEquals(found, found.toSorted((a, b) => b - a));
    assertEquals([found[0], found.at(-1)], [20, 0]);
    assert(new Set(found).size > 2, "some were cut in between");
  }));
