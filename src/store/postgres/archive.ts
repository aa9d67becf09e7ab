/**
 * Reading and writing a PostgreSQL database for a copy.
 *
 * @module
 */
import type { Archive, Role, Value } from "../copy/archive.ts";
import type { ColumnKind, Table } from "../copy/tables.ts";
import { openConnection } from "./connection.ts";
import { OperatorError } from "../operator_error.ts";
import { migrate, MIGRATIONS, planMigrations } from "./migrations.ts";
import { query, statement } from "./query.ts";

// Words are not copied: the next start puts those of these workspaces into the index.
const wait = statement(`
  INSERT INTO search_filling (workspace_id, page_id)
  SELECT workspace, '' FROM unnest($1::text[]) copied (workspace) ON CONFLICT DO NOTHING
`);

/** Opens a database and brings it up to date; throws `OperatorError` if a source is empty. */
export async function openPostgresArchive(url: string, role: Role): Promise<Archive> {
  const connection = openConnection({ url, size: 2, isPatient: true });
  const { session, transaction, close } = connection;
  try {
    if (role === "source" && (await planMigrations(connection)).length === MIGRATIONS.length) {
      throw new OperatorError("DATABASE_URL names a database without tables of Recto");
    }
    await migrate(connection);
  } catch (error) {
    await close();
    throw error;
  }
  const firstOf = (sql: string) => query<Value[]>(sql).get(session);
  return {
    count: async ({ name }) => Number((await firstOf(`SELECT count(*) FROM ${name}`))?.[0]),
    read: (table, after, limit) =>
      query<Value[]>(readSql(table, after !== undefined)).all(session, ...after ?? [], limit),
    write: async (table, rows) => {
      await transaction(async (writer) => {
        await writer.send(insertSql(table), [JSON.stringify(rows)]);
        if (table.name === "nodes") {
          await wait(writer, [...new Set(rows.map(([workspace]) => String(workspace)))]);
        }
      });
    },
    clear: ({ name }) =>
      transaction(async (writer) => void await writer.send(`DELETE FROM ${name}`, [])),
    analyze: async ({ name }) => void await session.send(`ANALYZE ${name}`, []),
    last({ name, key }) {
      const order = key.map((column) => `${column} DESC`).join(", ");
      return firstOf(`SELECT ${key.join(", ")} FROM ${name} ORDER BY ${order} LIMIT 1`);
    },
    close,
  };
}

const SHOWN: Readonly<Record<ColumnKind, (column: string) => string>> = {
  text: (column) => column,
  integer: (column) => column,
  number: (column) => column,
  flag: (column) => `${column}::integer`,
  state: (column) => `nullif(${column}, '')`,
  bytes: (column) => `upper(encode(${column}, 'hex'))`,
};

function readSql({ name, key, columns }: Table, behind: boolean): string {
  const shown = Object.entries(columns).map(([column, kind]) => SHOWN[kind](column));
  const order = key.join(", ");
  const start = key.map((_, index) => `$${index + 1}`).join(", ");
  const where = behind ? `WHERE (${order}) > (${start})` : "";
  const limit = `$${behind ? key.length + 1 : 1}`;
  return `SELECT ${shown.join(", ")} FROM ${name} ${where} ORDER BY ${order} LIMIT ${limit}`;
}

const KEPT: Readonly<Record<ColumnKind, (value: string) => string>> = {
  text: (value) => value,
  integer: (value) => `(${value})::bigint`,
  number: (value) => `(${value})::float8`,
  flag: (value) => `(${value}) = '1'`,
  state: (value) => `coalesce(${value}, '')`,
  bytes: (value) => `decode(${value}, 'hex')`,
};

function insertSql({ name, columns }: Table): string {
  const values = Object.values(columns).map((kind, index) => KEPT[kind](`r ->> ${index}`));
  return `INSERT INTO ${name} (${Object.keys(columns).join(", ")})
    SELECT ${values.join(", ")} FROM json_array_elements($1::text::json) r`;
}
