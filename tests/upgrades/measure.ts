/**
 * Measures how long each migration takes on a database with many rows.
 *
 *     deno run --config tests/deno.json -A tests/upgrades/measure.ts [NODES]
 *
 * @module
 */
import { openConnection as openSqlite } from "../../src/store/sqlite/connection.ts";
import { MIGRATIONS as SQLITE } from "../../src/store/sqlite/migrations.ts";
import { openConnection as openPostgres } from "../../src/store/postgres/connection.ts";
import { MIGRATIONS as POSTGRES } from "../../src/store/postgres/migrations.ts";
import { startCluster } from "../postgres/cluster.ts";

const nodes = Number(Deno.args[0] ?? 1_000_000);
/** One node in 20 is a page, which is a row of a database and has one part with 40 words. */
const pages = nodes / 20;

const COLUMNS =
  `workspace_id, id, kind, type, parent_kind, parent_id, container_id, position, title,
  doc, has_mentions, version, created_time, created_by, edited_time, edited_by, trash_root`;
const DOC = `'{"rich_text":[{"type":"text","text":{"content":"Paragraph ' || n ||
  ' of a page that somebody wrote and somebody else reads"}}],"color":"default"}'`;

/** The nodes of both databases; `id` makes an ID of a number. */
const nodesOf = (id: (number: string) => string, no: string, alive: string) => `
  SELECT 'w', ${id("n")},
    CASE WHEN n % 20 = 0 THEN 'page' ELSE 'block' END,
    CASE WHEN n % 20 = 0 THEN 'child_page' WHEN n % 100 = 1 THEN 'synced_block' ELSE 'paragraph' END,
    CASE WHEN n % 20 = 0 THEN 'database' ELSE 'page' END,
    CASE WHEN n % 20 = 0 THEN 'database' ELSE ${id("n - n % 20")} END,
    CASE WHEN n % 20 = 0 THEN NULL ELSE ${id("n - n % 20")} END,
    ${id("n")}, CASE WHEN n % 20 = 0 THEN 'Page ' || n ELSE '' END,
    ${DOC}, ${no}, 1, 1700000000000 + n, 'ann', 1700000000000 + n, 'ann', ${alive}`;

const report = (database: string, name: string, start: number) =>
  Deno.stdout.writeSync(
    new TextEncoder().encode(
      `${database} ${name}: ${Math.round(performance.now() - start)} ms\n`,
    ),
  );

function measureSqlite(folder: string): void {
  const { db, close } = openSqlite(`${folder}/recto.db`);
  const numbers = (count: number) =>
    `WITH RECURSIVE series (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM series WHERE n < ${count})`;
  const id = (number: string) => `printf('%08x-0000-7000-8000-%012x', ${number}, ${number})`;
  const words = Array(40).fill("(abs(random()) % 20000)").join(" || ' w' || ");
  const content: Readonly<Record<string, string>> = {
    "001_content": `${numbers(nodes)} INSERT INTO nodes (${COLUMNS})
      ${nodesOf(id, "0", "NULL")} FROM series`,
    "005_search": `INSERT INTO search_workspaces VALUES (1, 'w', ${pages}, ${pages * 40});
      ${numbers(pages)} INSERT INTO search_parts
      SELECT n * 4096, 'w', ${id("n * 20")}, 'page ', 'page ' || n || ' ',
        'b' || char(10) || 'w' || ${words} || ' ', 40, 0 FROM series`,
    "006_vectors":
      `INSERT INTO search_spaces VALUES ('w', 1, 'local', NULL, ${pages}, NULL, 1, ${pages});
      ${numbers(pages)} INSERT INTO search_vectors
      SELECT 'w', 1, ${id("n * 20")}, n, '[null]', randomblob(256) FROM series`,
  };
  for (const { name, sql } of SQLITE) {
    const start = performance.now();
    db.exec(`BEGIN; ${sql}; COMMIT`);
    report("sqlite", name, start);
    if (content[name] !== undefined) db.exec(`BEGIN; ${content[name]}; COMMIT`);
  }
  close();
}

async function measurePostgres(): Promise<void> {
  await using cluster = await startCluster({ fsync: true });
  const { session, close } = openPostgres({ url: cluster.url, size: 2, isPatient: true });
  const series = (count: number) => `FROM generate_series(1, ${count}) n`;
  const hex = (number: string, length: number) => `lpad(to_hex(${number}), ${length}, '0')`;
  const id = (number: string) => `${hex(number, 8)} || '-0000-7000-8000-' || ${hex(number, 12)}`;
  const content: Readonly<Record<string, string>> = {
    "001_content": `INSERT INTO nodes (${COLUMNS}) ${nodesOf(id, "false", "''")} ${series(nodes)}`,
    "005_vectors": `INSERT INTO search_spaces VALUES
        ('w', 1, 'local', NULL, ${pages}, NULL, true, ${pages});
      INSERT INTO search_vectors SELECT 'w', 1, ${id("n * 20")}, n, '[null]',
        decode(repeat(md5(n::text), 16), 'hex') ${series(pages)}`,
  };
  for (const { name, sql } of POSTGRES) {
    const start = performance.now();
    await session.send(`SET statement_timeout = 0; ${sql}`, []);
    report("postgres", name, start);
    if (content[name] !== undefined) {
      await session.send(`SET statement_timeout = 0; ${content[name]}`, []);
    }
  }
  await close();
}

const folder = await Deno.makeTempDir({ prefix: "recto-measure-" });
measureSqlite(folder);
await Deno.remove(folder, { recursive: true });
await measurePostgres();
