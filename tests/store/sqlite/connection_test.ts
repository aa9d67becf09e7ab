import { DatabaseSync } from "node:sqlite";
import { AppError, type ErrorCode } from "../../../src/shared/errors.ts";
import { type Connection, openConnection } from "../../../src/store/sqlite/connection.ts";
import { migrate } from "../../../src/store/sqlite/migrations.ts";
import { createSqliteStore, openSqliteStore } from "../../../src/store/sqlite/store.ts";
import { assert, assertEquals, assertRejects, assertThrows } from "../../assert.ts";
import { insert, page, person, view } from "../samples.ts";
import { rowsOf, runOn, withFile } from "./files.ts";

const BIG = "x".repeat(100_000);

function withConnection(work: (connection: Connection) => void): void {
  const connection = openConnection(":memory:");
  try {
    connection.db.exec("CREATE TABLE t (x INTEGER PRIMARY KEY)");
    work(connection);
  } finally {
    connection.close();
  }
}

function countIn({ db }: Connection): unknown {
  return db.prepare("SELECT count(*) AS n FROM t").get()?.n;
}

/** An error as node:sqlite throws it. */
function sqliteError(message: string, errcode: number): Error {
  return Object.assign(new Error(message), { code: "ERR_SQLITE_ERROR", errcode });
}

async function assertFails(
  ask: () => Promise<unknown>,
  { code, cause }: { readonly code: ErrorCode; readonly cause: string },
): Promise<void> {
  const error = await assertRejects(ask, AppError);
  assertEquals(error.code, code);
  assert(error.cause instanceof Error);
  assertEquals(error.cause.message, cause);
}

Deno.test("transaction() keeps what answered and undoes what threw", () => {
  withConnection((connection) => {
    const { db, transaction } = connection;
    assertEquals(
      transaction(() => Number(db.prepare("INSERT INTO t VALUES (1)").run().changes)),
      1,
    );
    const mistake = new Error("mine");
    const thrown = assertThrows(() =>
      transaction(() => {
        db.exec("INSERT INTO t VALUES (2)");
        throw mistake;
      }), Error);
    assertEquals(thrown, mistake);
    assertEquals(countIn(connection), 1);
    transaction(() => db.exec("INSERT INTO t VALUES (3)"));
    assertEquals(countIn(connection), 2);
  });
});

Deno.test("transaction() tells the first error where SQLite has rolled back by itself", () => {
  withConnection(({ db, transaction }) => {
    const failing = (): void =>
      transaction(() => {
        db.exec("ROLLBACK");
        throw sqliteError("database or disk is full", 13);
      });
    assertThrows(failing, Error, "database or disk is full");
    assertEquals(transaction(() => "goes on"), "goes on");
  });
});

Deno.test("a checked part undoes nothing where its check throws, and all where its work does", () => {
  withConnection((connection) => {
    const { db, begin, transaction } = connection;
    const add = (x: number) => db.exec(`INSERT INTO t VALUES (${x})`);
    const fail = (): never => {
      throw new Error("mine");
    };
    const open = begin(() => {});
    transaction(() => add(1), () => {});
    assertThrows(() => transaction(() => add(2), fail), Error, "mine");
    assertEquals([countIn(connection), open.isOpen()], [1, true]);
    assertThrows(
      () =>
        transaction(() => {
          add(3);
          fail();
        }, () => {}),
      Error,
      "mine",
    );
    assertEquals([countIn(connection), open.isOpen()], [0, false]);
    assertThrows(() => transaction(() => add(4), fail), Error, "mine");
    transaction(() => add(5), () => {});
    assertEquals(countIn(connection), 1);
  });
});

Deno.test("reading() sees one state, whatever others write, and ends also where it throws", async () => {
  await withFile((path) => {
    const connection = openConnection(path);
    const other = new DatabaseSync(path);
    connection.db.exec("CREATE TABLE t (x INTEGER PRIMARY KEY)");
    const counts = connection.reading(() => {
      const before = countIn(connection);
      other.exec("INSERT INTO t VALUES (1)");
      return [before, countIn(connection)];
    });
    assertEquals([...counts, countIn(connection)], [0, 0, 1]);
    const failing = () =>
      connection.reading(() => {
        throw new Error("mine");
      });
    assertThrows(failing, Error, "mine");
    assertEquals(connection.transaction(() => "goes on"), "goes on");
    other.close();
    connection.close();
  });
});

for (const [message, errcode] of [["disk I/O error", 1034], ["malformed", 11]] as const) {
  Deno.test(`transaction() writes nothing more after "${message}"`, () => {
    withConnection((connection) => {
      const { db, transaction } = connection;
      const failing = (): void =>
        transaction(() => {
          throw sqliteError(message, errcode);
        });
      assertThrows(failing, Error, message);
      assertThrows(() => transaction(() => db.exec("INSERT INTO t VALUES (1)")), Error, message);
      assertEquals(countIn(connection), 0);
    });
  });
}

Deno.test("openSqliteStore() makes the folder, closed to others, and leaves one file", async () => {
  await withFile(async (path) => {
    const deep = path.replace("recto.db", "a/b/recto.db");
    const folder = deep.replace("/recto.db", "");
    const store = openSqliteStore(deep);
    await store.commit("w", insert(page("p")));
    await store.close();
    assertEquals((Deno.statSync(folder).mode ?? 0) & 0o077, 0);
    assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name), ["recto.db"]);
  });
});

Deno.test("openSqliteStore() syncs each commit and checks what it reads", () => {
  withConnection(({ db }) => {
    const pragmas = ["synchronous", "foreign_keys", "cell_size_check", "trusted_schema"];
    const values = pragmas.map((name) =>
      Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0]
    );
    assertEquals(values, [2, 1, 1, 0]);
  });
});

Deno.test("openSqliteStore() refuses a file that is no database, and lets go of it", async () => {
  await withFile((path) => {
    Deno.writeTextFileSync(path, "not a database, ".repeat(100));
    assertThrows(() => openSqliteStore(path), Error, "file is not a database");
    Deno.removeSync(path);
    return openSqliteStore(path).close();
  });
});

Deno.test("commit() is unavailable while another process writes, reads go on, then it works", async () => {
  await withFile(async (path) => {
    const store = openSqliteStore(path);
    await store.saveUser("w", person("u"));
    const other = new DatabaseSync(path);
    other.exec("BEGIN IMMEDIATE");
    const locked = { code: "service_unavailable", cause: "database is locked" } as const;
    await assertFails(() => store.commit("w", insert(page("p"))), locked);
    await assertFails(() => store.ping(), locked);
    assertEquals(await store.node("w", "p"), undefined);
    // Nothing new of the user: nothing to write, nothing to wait for.
    await store.saveUser("w", person("u"));
    other.exec("ROLLBACK");
    other.close();
    assertEquals(await store.commit("w", insert(page("p"))), "committed");
    await store.close();
  });
});

Deno.test("commit() says that the disk is full, whole before and after, and resumes", async () => {
  await withFile(async (path) => {
    const connection = openConnection(path);
    migrate(connection);
    const store = createSqliteStore(connection);
    await store.commit("w", insert(page("p")));
    connection.db.exec("PRAGMA max_page_count = 40");
    const tooMuch = insert(page("q"), page("r", { doc: BIG }), page("s", { doc: BIG }));
    const full = { code: "storage_full", cause: "database or disk is full" } as const;
    await assertFails(() => store.commit("w", tooMuch), full);
    assertEquals(await store.node("w", "q"), undefined);
    assertEquals(await store.node("w", "p"), view(page("p")));
    await store.ping();
    await assertFails(() => store.ping({ takesSpace: true }), full);
    connection.db.exec("PRAGMA max_page_count = 4000");
    await store.ping({ takesSpace: true });
    assertEquals(await store.commit("w", tooMuch), "committed");
    await store.close();
    assertEquals(rowsOf(path, "PRAGMA integrity_check"), [{ integrity_check: "ok" }]);
  });
});

Deno.test("ping() throws where the database cannot be written", async () => {
  await withFile(async (path) => {
    const connection = openConnection(path);
    migrate(connection);
    const store = createSqliteStore(connection);
    await store.ping();
    connection.db.exec("PRAGMA query_only = ON");
    const cause = "attempt to write a readonly database";
    await assertFails(() => store.ping(), { code: "storage_read_only", cause });
    await store.close();
  });
});

Deno.test("commit() says that a file is damaged, and nothing more is written", async () => {
  await withFile(async (path) => {
    const store = openSqliteStore(path);
    await store.commit("w", insert(page("p")));
    await store.close();
    damage(path);
    const connection = openConnection(path);
    const damaged = createSqliteStore(connection);
    const failure = {
      code: "data_corrupted",
      cause: "database disk image is malformed",
    } as const;
    await assertFails(() => damaged.node("w", "p"), failure);
    await assertFails(() => damaged.commit("w", insert(page("q"))), failure);
    await assertFails(() => damaged.saveUser("w", person("u")), failure);
    await assertFails(() => damaged.ping(), failure);
    connection.db.close();
  });
});

/** Overwrites the root pages of the nodes table and its indexes. */
function damage(path: string): void {
  const roots = rowsOf(path, "SELECT rootpage FROM sqlite_schema WHERE tbl_name = 'nodes'");
  using file = Deno.openSync(path, { write: true });
  for (const { rootpage } of roots) {
    file.seekSync((Number(rootpage) - 1) * 4096, Deno.SeekMode.Start);
    file.writeSync(new Uint8Array(4096).fill(0xff));
  }
}

Deno.test("commit() forgets expired receipts as new ones come", async () => {
  await withFile(async (path) => {
    const store = openSqliteStore(path);
    await store.close();
    runOn(
      path,
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
      INSERT INTO receipts SELECT 'w', 'k' || i, 'f', 200, NULL, '{}', 1, 2, NULL FROM n`,
    );
    const again = openSqliteStore(path);
    for (const key of ["a", "b", "c", "d"]) {
      const fresh = { key, fingerprint: "f", status: 200, etag: null, body: "{}" };
      await again.commit("w", [], { ...fresh, createdTime: 10, expiresTime: 20 });
    }
    await again.close();
    const kept = rowsOf(path, "SELECT key FROM receipts ORDER BY key").map(({ key }) => key);
    assertEquals(kept, ["a", "b", "c", "d"]);
  });
});

Deno.test("openConnection() makes files for their owner alone, and leaves a mode that is there", async () => {
  const folder = await Deno.makeTempDir({ prefix: "recto-" });
  await Deno.chmod(folder, 0o755);
  const path = `${folder}/recto.db`;
  const modes = () =>
    ["", "-wal", "-shm"].map((suffix) => (Deno.statSync(path + suffix).mode ?? 0) & 0o777);
  const made = openConnection(path);
  migrate(made);
  assertEquals(modes(), [0o600, 0o600, 0o600]);
  made.close();
  await Deno.chmod(path, 0o640);
  const opened = openConnection(path);
  opened.transaction(() => opened.db.exec("CREATE TABLE t (x)"));
  assertEquals(modes(), [0o640, 0o640, 0o640]);
  opened.close();
  await Deno.remove(folder, { recursive: true });
});
