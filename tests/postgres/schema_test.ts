import { migrate } from "../../src/store/postgres/migrations.ts";
import type { Connection } from "../../src/store/postgres/connection.ts";
import { assert, assertEquals } from "../assert.ts";
import { openVectorIndex } from "../../src/store/postgres/vectors/vector_index.ts";
import { hasVectorIndex } from "../support/stores.ts";
import { withDatabase, withSchema } from "./support.ts";

// The one index of terms: each term begins with its workspace's code instead.
const TERMS = "'search_terms'";

/** Every other index, that of each key among them, and the name of its first column. */
const INDEXES = `
  SELECT i.relname, a.attname FROM pg_index x
  JOIN pg_class i ON i.oid = x.indexrelid AND i.relname <> ${TERMS}
  JOIN pg_namespace s ON s.oid = i.relnamespace AND s.nspname = current_schema()
  LEFT JOIN pg_attribute a ON a.attrelid = x.indrelid AND a.attnum = x.indkey[0]
`;

/** Every key and foreign key, and the name of its first column. */
const KEYS = `
  SELECT c.conname, a.attname FROM pg_constraint c
  JOIN pg_namespace s ON s.oid = c.connamespace AND s.nspname = current_schema()
  JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
  WHERE c.contype IN ('p', 'u', 'f', 'x')
`;

const TABLES_WITHOUT_KEY = `
  SELECT t.relname FROM pg_class t
  JOIN pg_namespace s ON s.oid = t.relnamespace AND s.nspname = current_schema()
  WHERE t.relkind = 'r'
    AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conrelid = t.oid AND c.contype = 'p')
`;

/** Columns of an index whose order is not that of their bytes; of a kind none is asked for. */
const COLLATED = `
  SELECT i.relname, a.attname FROM pg_index x
  JOIN pg_class i ON i.oid = x.indexrelid AND i.relname <> ${TERMS}
  JOIN pg_namespace s ON s.oid = i.relnamespace AND s.nspname = current_schema()
  JOIN pg_attribute a ON a.attrelid = x.indexrelid AND a.attname <> 'kind'
  JOIN pg_collation o ON o.oid = a.attcollation AND o.collname <> 'C'
`;

async function found(
  { session }: Connection,
  sql: string,
): Promise<readonly (readonly unknown[])[]> {
  return [...await session.send(sql, [])];
}

Deno.test("every key, foreign key and index begins with workspace_id", () =>
  withSchema(async (connection) => {
    await migrate(connection);
    if (hasVectorIndex) await openVectorIndex(connection, { mostScanned: 0 });
    assertEquals(await found(connection, TABLES_WITHOUT_KEY), []);
    for (const sql of [INDEXES, KEYS]) {
      const all = await found(connection, sql);
      assert(all.length >= 9, `${all.length} keys`);
      assertEquals(all.filter(([, column]) => column !== "workspace_id"), []);
    }
  }));

Deno.test("every index of texts is in the order of their bytes, whatever the database's order", () =>
  withDatabase("ICU_LOCALE 'en' LOCALE 'C.UTF-8' LOCALE_PROVIDER icu", async (connection) => {
    await migrate(connection);
    const own = await found(connection, "SELECT 'B' < 'a' COLLATE \"default\"");
    assertEquals(own, [[false]], "the database's own order is another one");
    assertEquals(await found(connection, COLLATED), []);
  }));

/** Texts of the statements of the adapter, as they stand in its files. */
async function* statements(folder = "src/store/postgres"): AsyncGenerator<string> {
  for await (const entry of Deno.readDir(folder)) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) yield* statements(path);
    else if (path.endsWith(".ts")) {
      const text = await Deno.readTextFile(path);
      yield* [
        ...text.matchAll(/[`"]\s*((?:SELECT|INSERT|UPDATE|DELETE|WITH)\s[^`"]*(?:"\w+"[^`"]*)*)/g),
      ]
        .map(([, sql = ""]) => sql);
    }
  }
}

Deno.test("every statement that names a table names its workspace", async () => {
  const about =
    /\b(?:FROM|INTO|UPDATE)\s+(?:nodes|cells|links|counters|receipts|users|secrets|api_key\w+|workspaces|uploads|upload_uses|leftovers|comments|search_\w+)\b/;
  let count = 0;
  for await (const sql of statements()) {
    if (!about.test(sql)) continue;
    count++;
    assert(sql.includes("workspace_id"), sql);
  }
  assert(count > 20, `${count} statements`);
});
