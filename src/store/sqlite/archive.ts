/**
 * Reading and writing a SQLite file for a copy.
 *
 * @module
 */
import type { Archive, Role, Row, Value } from "../copy/archive.ts";
import type { ColumnKind, Table } from "../copy/tables.ts";
import { type Connection, openConnection } from "./connection.ts";
import { OperatorError } from "../operator_error.ts";
import { exists } from "./file.ts";
import { migrate, MIGRATIONS, planMigrations } from "./migrations.ts";
import { createLongTexts, textInCell, wholeText } from "./long_texts.ts";
import { query } from "./query.ts";
import { finishCommits } from "./sliced_commits.ts";

/** Opens a file and brings it up to date; throws `OperatorError` if a source is missing. */
export async function openSqliteArchive(path: string, role: Role): Promise<Archive> {
  // Opening a missing file would create it.
  if (role === "source" && !await exists(path)) {
    throw new OperatorError(`There is no database: ${path}. RECTO_DATA_DIR names its folder`);
  }
  const connection = openConnection(path);
  try {
    if (role === "source" && planMigrations(connection).length === MIGRATIONS.length) {
      throw new OperatorError(`${path} is no database of Recto`);
    }
    migrate(connection);
    finishCommits(connection, refuse);
    return createSqliteArchive(connection);
  } catch (error) {
    connection.close();
    throw error;
  }
}

function refuse(workspace: string, reason: unknown): never {
  throw new OperatorError(
    `A change of workspace ${workspace} was interrupted and cannot be finished: ${reason}`,
  );
}

function createSqliteArchive({ db, transaction, close }: Connection): Archive {
  const fill = db.prepare(
    "INSERT INTO search_filling (workspace_id, page_id) VALUES (?, '') ON CONFLICT DO NOTHING",
  );
  const longTexts = createLongTexts(db);
  return {
    count: ({ name }) => Promise.resolve(Number(firstOf(`SELECT count(*) FROM ${name}`)?.[0])),
    read(table, after, limit) {
      const rows = query<Value[]>(db, readSql(table, after !== undefined));
      return Promise.resolve(rows.all(...after ?? [], limit));
    },
    write(table, rows) {
      const insert = db.prepare(insertSql(table));
      transaction(() => {
        for (const row of rows) insert.run(...isCells(table) ? withTextInCell(row) : row);
        if (isCells(table)) rows.forEach(saveLongText);
        // Words are not copied: the next start puts those of these workspaces into the index.
        if (table.name === "nodes") rows.forEach(([workspace = null]) => fill.run(workspace));
      });
      return Promise.resolve();
    },
    clear({ name }) {
      transaction(() => db.exec(`DELETE FROM ${name}`));
      return Promise.resolve();
    },
    // Statements are written for their plans, whatever is in the tables.
    analyze: () => Promise.resolve(),
    last({ name, key }) {
      const order = key.map((column) => `${column} DESC`).join(", ");
      return Promise.resolve(
        firstOf(`SELECT ${key.join(", ")} FROM ${name} ORDER BY ${order} LIMIT 1`),
      );
    },
    close: () => Promise.resolve(close()),
  };

  function saveLongText(row: Row): void {
    const [workspace, nodeId, propertyId, ordinal, databaseId] = row;
    const key = [String(workspace), String(nodeId), String(propertyId), Number(ordinal)] as const;
    longTexts.save(key, String(databaseId), textOf(row));
  }

  function firstOf(sql: string): Row | undefined {
    return query<Value[]>(db, sql).get();
  }
}

function isCells({ name }: Table): boolean {
  return name === "cells";
}

/** The text of a cell is its last column. */
function textOf(row: Row): string | null {
  const text = row.at(-1);
  return typeof text === "string" ? text : null;
}

function withTextInCell(row: Row): Row {
  return row.with(-1, textInCell(textOf(row)));
}

function readSql(table: Table, behind: boolean): string {
  const { name, key, columns } = table;
  const shown = Object.entries(columns).map(([column, kind]) => {
    if (isCells(table) && column === "text") return wholeText(name);
    return kind === "bytes" ? `hex(${column})` : column;
  });
  const order = key.join(", ");
  const where = behind ? `WHERE (${order}) > (${key.map(() => "?").join(", ")})` : "";
  return `SELECT ${shown.join(", ")} FROM ${name} ${where} ORDER BY ${order} LIMIT ?`;
}

function insertSql({ name, columns }: Table): string {
  const value = (kind: ColumnKind) => kind === "bytes" ? "unhex(?)" : "?";
  return `INSERT INTO ${name} (${Object.keys(columns).join(", ")})
    VALUES (${Object.values(columns).map(value).join(", ")})`;
}
