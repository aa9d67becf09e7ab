import { DatabaseSync } from "node:sqlite";
import { MigrationError } from "../../../src/store/migrate.ts";
import { openConnection } from "../../../src/store/sqlite/connection.ts";
import type { Filter } from "../../../src/content/query/filter.ts";
import { migrate, MIGRATIONS } from "../../../src/store/sqlite/migrations.ts";
import { openSqliteStore } from "../../../src/store/sqlite/store.ts";
import { assertEquals, assertThrows } from "../../assert.ts";
import { rowQuery } from "../row_samples.ts";
import { insert, page, view } from "../samples.ts";
import { rowsOf, runOn, withFile } from "./files.ts";

const GOOD = { name: "901_good", sql: "CREATE TABLE good (x);" };
const BROKEN = { name: "902_half", sql: "CREATE TABLE half (x); INSERT INTO nowhere VALUES (1);" };

Deno.test("MIGRATIONS are named for their order", () => {
  const names = MIGRATIONS.map(({ name }) => name);
  assertEquals(names, names.toSorted());
  assertEquals(names.map((name) => Number(name.slice(0, 3))), names.map((_, index) => index + 1));
});

Deno.test("openSqliteStore() finds again what it kept, and migrates once", async () => {
  await withFile(async (path) => {
    const first = openSqliteStore(path);
    await first.commit("w", insert(page("p")));
    const secret = await first.secret("s");
    await first.close();
    const second = openSqliteStore(path);
    assertEquals(await second.node("w", "p"), view(page("p")));
    assertEquals(await second.secret("s"), secret);
    await second.close();
    assertEquals(rowsOf(path, "SELECT name FROM migrations").length, MIGRATIONS.length);
  });
});

Deno.test("openSqliteStore() refuses a database whose migration has another text", async () => {
  await withFile(async (path) => {
    await openSqliteStore(path).close();
    runOn(path, "UPDATE migrations SET checksum = 'other' WHERE name = '001_content'");
    assertThrows(() => openSqliteStore(path), MigrationError, "001_content");
  });
});

Deno.test("openSqliteStore() refuses a database of a newer release, and leaves it alone", async () => {
  await withFile(async (path) => {
    await openSqliteStore(path).close();
    runOn(path, "INSERT INTO migrations VALUES ('999_later', 'any')");
    assertThrows(() => openSqliteStore(path), MigrationError, "999_later");
    assertEquals(rowsOf(path, "SELECT name FROM migrations WHERE name > '9'").length, 1);
  });
});

Deno.test("migrate() leaves nothing of a migration that fails half way, and can finish later", async () => {
  await withFile((path) => {
    const connection = openConnection(path);
    assertThrows(() => migrate(connection, [...MIGRATIONS, BROKEN]), Error, "nowhere");
    migrate(connection, [...MIGRATIONS, { ...BROKEN, sql: "CREATE TABLE half (x);" }]);
    connection.close();
    assertEquals(rowsOf(path, "SELECT count(*) AS n FROM half").map(({ n }) => n), [0]);
  });
});

Deno.test("openSqliteStore() finishes a migration that was killed after any statement", async () => {
  const statements = MIGRATIONS.flatMap(({ sql }) => sql.split(/(?<=;\n)/));
  for (const cut of statements.keys()) {
    await withFile(async (path) => {
      // What a kill leaves: a transaction that nobody ended.
      const killed = new DatabaseSync(path);
      killed.exec(
        `PRAGMA journal_mode = WAL; BEGIN IMMEDIATE; ${statements.slice(0, cut).join("")}`,
      );
      killed.close();
      const store = openSqliteStore(path);
      assertEquals(await store.commit("w", insert(page("p"))), "committed");
      await store.close();
    });
  }
});

Deno.test("migrate() goes on from where an older release stopped", async () => {
  await withFile((path) => {
    const connection = openConnection(path);
    migrate(connection);
    migrate(connection, [...MIGRATIONS, GOOD]);
    connection.close();
    const names = rowsOf(path, "SELECT name FROM migrations ORDER BY name").map(({ name }) => name);
    assertEquals(names, [...MIGRATIONS.map(({ name }) => name), GOOD.name]);
  });
});

Deno.test("long texts that an older release stored are found, also where texts have no Latin letters", () =>
  withFile(async (path) => {
    const old = openConnection(path);
    migrate(
      old,
      MIGRATIONS.slice(0, MIGRATIONS.findIndex(({ name }) => name === "022_long_texts")),
    );
    const rows = {
      a: `${"long ".repeat(500)}end`,
      b: "漢".repeat(1_500),
      c: "\u{1F600}".repeat(1_500),
    };
    const node = old.db.prepare(
      `INSERT INTO nodes (
        workspace_id, id, kind, type, parent_kind, parent_id, container_id, position, title, doc,
        has_mentions, version, created_time, created_by, edited_time, edited_by, trash_root
      ) VALUES ('w', ?1, 'page', 'child_page', 'database', 'database', 'database', ?1, '', '{}',
        0, 1, 0, 'ann', 0, 'ann', NULL)`,
    );
    const cell = old.db.prepare(
      "INSERT INTO cells VALUES ('w', ?, 'text', 0, 'database', NULL, 'key', ?)",
    );
    for (const [id, text] of Object.entries(rows)) {
      node.run(id);
      cell.run(id, text);
    }
    old.close();
    const store = openSqliteStore(path);
    for (const [id, text] of Object.entries(rows)) {
      const filter: Filter = {
        op: "test",
        field: { kind: "cells", propertyId: "text" },
        test: { is: "text", how: "equals", text, key: "key" },
      };
      const found = await store.rows("w", rowQuery({ filter }));
      assertEquals(found.map(({ node }) => node.id), [id]);
    }
    await store.close();
    const long = rowsOf(path, "SELECT node_id FROM long_texts").map(({ node_id }) => node_id);
    assertEquals(long, ["a"]);
    const shortened = rowsOf(path, "SELECT node_id FROM cells WHERE length(text) = 2000");
    assertEquals(shortened.map(({ node_id }) => node_id), ["a"]);
  }));

Deno.test("rows of text blocks that an older release stored are kept, and go with their blocks", () =>
  withFile(async (path) => {
    const old = openConnection(path);
    const names = MIGRATIONS.map(({ name }) => name);
    migrate(old, MIGRATIONS.slice(0, names.indexOf("024_text_block_rows")));
    for (const id of ["a", "b"]) {
      old.db.prepare("INSERT INTO text_blocks VALUES ('w', 'd', 'p', 1, ?, 0, 'text')").run(id);
      old.db.prepare("INSERT INTO text_block_rows VALUES ('w', 'd', 'p', 1, ?1, ?1)").run(id);
    }
    old.close();
    await openSqliteStore(path).close();
    const idsIn = () => rowsOf(path, "SELECT ids FROM text_block_rows").map(({ ids }) => ids);
    assertEquals(idsIn(), ["a", "b"]);
    const [table] = rowsOf(path, "SELECT wr FROM pragma_table_list('text_block_rows')");
    assertEquals(table?.wr, 0);
    runOn(path, "PRAGMA foreign_keys = ON; DELETE FROM text_blocks WHERE last_id = 'a'");
    assertEquals(idsIn(), ["b"]);
  }));
