import { copyFile } from "node:fs/promises";
import { openConnection } from "../../../src/store/sqlite/connection.ts";
import { migrate, MIGRATIONS } from "../../../src/store/sqlite/migrations.ts";
import { openSqliteStore } from "../../../src/store/sqlite/store.ts";
import { assert, assertEquals } from "../../assert.ts";
import { rowsOf, runOn, withFile } from "./files.ts";

/** Statements of SQL, each with what stands before it; a trigger is one. */
function statementsOf(sql: string): string[] {
  return sql.split(/(?<=;\n)(?!\s*(?:INSERT|UPDATE|DELETE|END)\b)/).filter((text) => text.trim());
}

function schemaOf(path: string): Record<string, unknown>[] {
  return rowsOf(path, "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name");
}

/** A database as the release after so many migrations left it, with something in it. */
function writeOld(path: string, age: number): void {
  const connection = openConnection(path);
  migrate(connection, MIGRATIONS.slice(0, age));
  connection.close();
  if (age === 0) return;
  runOn(
    path,
    `INSERT INTO nodes (
      workspace_id, id, kind, type, parent_kind, parent_id, container_id, position, title, doc,
      has_mentions, version, created_time, created_by, edited_time, edited_by, trash_root
    ) VALUES ('w', 'old', 'page', 'child_page', 'workspace', '', NULL, 'a', 'Old', '{}',
      0, 1, 0, 'ann', 0, 'ann', NULL)`,
  );
}

/** Leaves a copy of what a process leaves that is killed after so many of the statements. */
async function killAfter(path: string, copy: string, statements: readonly string[]): Promise<void> {
  const connection = openConnection(path);
  // Little room, so that what is not committed reaches the log, as in a large database.
  connection.db.exec("PRAGMA cache_size = 2; BEGIN IMMEDIATE;");
  for (const statement of statements) connection.db.exec(statement);
  for (const end of ["", "-wal"]) await copyFile(path + end, copy + end);
  connection.db.exec("ROLLBACK");
  connection.close();
}

for (const age of MIGRATIONS.keys()) {
  const from = MIGRATIONS[age - 1]?.name ?? "an empty file";
  Deno.test(`Case 82: a migration from ${from} that is killed at any statement leaves the old database, and is made good by the next start`, () =>
    withFile(async (path) => {
      writeOld(path, age);
      const before = schemaOf(path);
      await openSqliteStore(`${path}.new`).close();
      const current = schemaOf(`${path}.new`);
      const statements = MIGRATIONS.slice(age).flatMap(({ sql }) => statementsOf(sql));
      assert(statements.length >= MIGRATIONS.length - age);
      for (const cut of [...statements.keys(), statements.length]) {
        const copy = `${path}.${cut}`;
        await killAfter(path, copy, statements.slice(0, cut));
        assertEquals(schemaOf(copy), before);
        await openSqliteStore(copy).close();
        assertEquals(schemaOf(copy), current);
        assertEquals(rowsOf(copy, "SELECT name FROM migrations").length, MIGRATIONS.length);
        const rows = rowsOf(copy, "SELECT id FROM nodes").map(({ id }) => id);
        assertEquals(rows, age === 0 ? [] : ["old"]);
        assertEquals(rowsOf(copy, "PRAGMA integrity_check"), [{ integrity_check: "ok" }]);
        for (const end of ["", "-wal", "-shm"]) await Deno.remove(copy + end).catch(() => {});
      }
    }));
}
