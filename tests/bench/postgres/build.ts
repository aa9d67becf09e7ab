/**
 * Fills a PostgreSQL database quickly: with COPY, and with indexes created at the end.
 *
 * @module
 */
import { once } from "node:events";
import type { Writable } from "node:stream";
import type { Sql } from "postgres";
import type { Node } from "../../../src/content/schema/node.ts";
import type { Progress } from "../query/progress.ts";
import { DATABASE, OLDEST, PERSON, sampleRow, SCHEMA, WORKSPACE } from "../query/data.ts";

const NODES = `nodes (
  workspace_id, id, kind, type, parent_kind, parent_id, container_id, position, title, doc,
  has_mentions, version, created_time, created_by, edited_time, edited_by, trash_root
)`;
const CELLS = "cells (workspace_id, node_id, database_id, property_id, ordinal, number, key, text)";

/** Lines per COPY batch. */
const BATCH = 2_000;

/** Fills an empty, migrated database with one database of this many rows. */
export async function fillDatabase(sql: Sql, rows: number, progress: Progress): Promise<void> {
  const indexes = await sql<{ name: string; definition: string }[]>`
    SELECT indexname AS name, indexdef AS definition FROM pg_indexes
    WHERE tablename IN ('nodes', 'cells') AND schemaname = current_schema()
      AND indexname NOT IN (SELECT conname FROM pg_constraint)`;
  for (const { name } of indexes) await sql.unsafe(`DROP INDEX ${name}`);
  await copy(sql, NODES, nodesOf(rows, progress));
  await copy(sql, CELLS, cellsOf(rows, progress));
  await sql.unsafe("SET maintenance_work_mem = '512MB'");
  for (const [index, { name, definition }] of indexes.entries()) {
    progress(`index ${name}`, index / indexes.length);
    await sql.unsafe(definition);
  }
  await sql`INSERT INTO counters VALUES (${WORKSPACE}, ${DATABASE}, ${rows})`;
  await sql.unsafe("VACUUM ANALYZE");
  progress("done", 1);
}

type Line = readonly (string | number | boolean | null)[];

function* nodesOf(rows: number, progress: Progress): Generator<Line> {
  const doc = { title: [], description: [], icon: null, cover: null, is_inline: false };
  yield lineOf({
    ...sampleRow(1).node,
    id: DATABASE,
    kind: "database",
    type: "child_database",
    parentKind: "workspace",
    parentId: null,
    containerId: null,
    position: "a0",
    title: "Large",
    doc: JSON.stringify({ ...doc, properties: SCHEMA }),
    createdTime: OLDEST,
    editedTime: OLDEST,
    createdBy: PERSON,
    editedBy: PERSON,
  });
  for (let number = 1; number <= rows; number++) {
    progress("rows", number / rows / 2);
    yield lineOf(sampleRow(number).node);
  }
}

function lineOf(node: Node): Line {
  return [
    ...[WORKSPACE, node.id, node.kind, node.type, node.parentKind, node.parentId ?? ""],
    ...[node.containerId, node.position, node.title, node.doc, node.hasMentions, node.version],
    ...[node.createdTime, node.createdBy, node.editedTime, node.editedBy, node.trashRoot ?? ""],
  ];
}

function* cellsOf(rows: number, progress: Progress): Generator<Line> {
  for (let at = 1; at <= rows; at++) {
    progress("cells", (at + rows) / rows / 2);
    const { node: { id }, cells } = sampleRow(at);
    for (const { propertyId, ordinal, number, key, text } of cells) {
      yield [WORKSPACE, id, DATABASE, propertyId, ordinal, number, key, text];
    }
  }
}

/** Writes all lines into a table, given as `name (columns)`. */
async function copy(sql: Sql, table: string, lines: Iterable<Line>): Promise<void> {
  const stream = await sql.unsafe(`COPY ${table} FROM STDIN`).writable();
  let batch = "";
  let size = 0;
  for (const line of lines) {
    batch += `${line.map(field).join("\t")}\n`;
    if (++size % BATCH !== 0) continue;
    await write(stream, batch);
    batch = "";
  }
  await write(stream, batch);
  stream.end();
  await once(stream, "finish");
}

async function write(stream: Writable, text: string): Promise<void> {
  if (!stream.write(text)) await once(stream, "drain");
}

/** Encodes a value for COPY. */
function field(value: Line[number]): string {
  if (value === null) return "\\N";
  return String(value).replace(/[\\\t\n\r]/g, (char) => ESCAPES[char] ?? char);
}

const ESCAPES: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  "\t": "\\t",
  "\n": "\\n",
  "\r": "\\r",
};
