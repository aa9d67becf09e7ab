/**
 * Builds a large database quickly: no fsync, large transactions, and indexes created at the end.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import { openConnection } from "../../../src/store/sqlite/connection.ts";
import { migrate } from "../../../src/store/sqlite/migrations.ts";
import { DATABASE, OLDEST, PERSON, sampleRow, SCHEMA, WORKSPACE } from "./data.ts";
import type { Progress } from "./progress.ts";

const BATCH = 10_000;

/** Creates a file with exactly the migrations' schema and this many rows in one database. */
export function buildDatabase(path: string, rows: number, progress: Progress): void {
  const connection = openConnection(path);
  const { db } = connection;
  migrate(connection);
  const schema = schemaOf(db);
  db.exec(
    "PRAGMA synchronous = OFF; PRAGMA cache_size = -1048576; PRAGMA wal_autocheckpoint = 20000; PRAGMA threads = 2",
  );
  const indexes = indexesOf(db);
  for (const { name } of indexes) db.exec(`DROP INDEX ${name}`);
  fill(db, rows, progress);
  for (const [index, { name, sql }] of indexes.entries()) {
    progress(`index ${name}`, index / indexes.length);
    db.exec(sql);
  }
  progress("done", 1);
  if (schemaOf(db) !== schema) throw new Error("The schema is not that of the migrations");
  connection.close();
}

/** Returns the file's schema, in an order that does not depend on when indexes were created. */
function schemaOf(db: DatabaseSync): string {
  const parts = db.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name")
    .all();
  return JSON.stringify(parts);
}

function indexesOf(db: DatabaseSync): { name: string; sql: string }[] {
  return db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
    .all().map(({ name, sql }) => ({ name: String(name), sql: String(sql) }));
}

function fill(db: DatabaseSync, rows: number, progress: Progress): void {
  const node = db.prepare(`
    INSERT INTO nodes (
      workspace_id, id, kind, type, parent_kind, parent_id, container_id, position, title, doc,
      has_mentions, version, created_time, created_by, edited_time, edited_by, trash_root
    ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 1, ?, ?, ?, ?, NULL)
  `);
  const cell = db.prepare(`
    INSERT INTO cells (workspace_id, node_id, database_id, property_id, ordinal, number, key, text)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  `);
  const doc = { title: [], description: [], icon: null, cover: null, is_inline: false };
  node.run(
    ...[WORKSPACE, DATABASE, "database", "child_database", "workspace", "", null, "a0", "Large"],
    ...[JSON.stringify({ ...doc, properties: SCHEMA }), OLDEST, PERSON, OLDEST, PERSON],
  );
  for (let start = 1; start <= rows; start += BATCH) {
    progress("rows", (start - 1) / rows);
    db.exec("BEGIN");
    for (let number = start; number < start + BATCH && number <= rows; number++) {
      const { node: n, cells } = sampleRow(number);
      node.run(
        ...[WORKSPACE, n.id, n.kind, n.type, n.parentKind, n.parentId, n.containerId, n.position],
        ...[n.title, n.doc, n.createdTime, n.createdBy, n.editedTime, n.editedBy],
      );
      for (const { propertyId, ordinal, number, key, text } of cells) {
        cell.run(WORKSPACE, n.id, DATABASE, propertyId, ordinal, number, key, text);
      }
    }
    db.exec("COMMIT");
  }
  db.prepare("INSERT INTO counters VALUES (?, ?, ?)").run(WORKSPACE, DATABASE, rows);
}
