import { copy } from "../../src/cli/copy.ts";
import { migrate } from "../../src/cli/migrate.ts";
import { TABLES } from "../../src/store/copy/tables.ts";
import type { Filter } from "../../src/content/query/filter.ts";
import { copyAll } from "../../src/store/copy/copy.ts";
import { openPostgresArchive } from "../../src/store/postgres/archive.ts";
import { createPostgresStore, openPostgresStore } from "../../src/store/postgres/store.ts";
import { openSqliteArchive } from "../../src/store/sqlite/archive.ts";
import { openConnection } from "../../src/store/sqlite/connection.ts";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import type { Store } from "../../src/store/port.ts";
import { assert, assertEquals, assertStringIncludes } from "../assert.ts";
import { done, W } from "../store/contract_support.ts";
import {
  cellsOf,
  database,
  numberCell,
  rowNode,
  rowQuery,
  textCell,
} from "../store/row_samples.ts";
import { block, insert, page, person, trash } from "../store/samples.ts";
import { openSchema, type Schema } from "../support/stores.ts";

const ROWS = 2_500;
const BY_A = [{
  field: { kind: "cells", propertyId: "a" },
  descending: true,
  single: true,
}] as const;

/** The end of a text that SQLite stores apart from its cell. */
const LONG_ENDS: Filter = {
  op: "test",
  field: { kind: "cells", propertyId: "c" },
  test: { is: "text", how: "ends", text: "long 500", key: "long 500" },
};

/** Writes to every table, with more nodes and cells than a batch contains. */
async function fill(store: Store): Promise<void> {
  const rows = Array.from({ length: ROWS }, (_, index) => ({
    op: "insert" as const,
    node: rowNode(`row ${index}`),
    cells: [
      ...cellsOf("a", numberCell(index / 7)),
      ...cellsOf("b", textCell(`Ünï "${index}" \\ \t \u{1F600}`)),
      ...cellsOf("c", textCell(index % 500 === 0 ? `${"long ".repeat(500)}${index}` : "short")),
    ],
  }));
  await done(store, [
    ...insert(database(), page("p", { title: "A 'title'" }), block("b", "p")),
    ...rows,
  ]);
  await done(store, [{
    op: "createComment",
    comment: {
      id: "x",
      discussionId: "d",
      nodeId: "b",
      pageId: "p",
      hasMentions: true,
      version: 3,
      doc: JSON.stringify({ rich_text: [{ plain_text: 'Ünï "x"' }] }),
      createdTime: 1,
      createdBy: "ann",
      editedTime: 2,
      editedBy: "bob",
    },
  }]);
  await done(store, [
    trash("p"),
    { op: "link", relationId: "r", side: "from", id: "row 1", others: ["row 3", "row 2"] },
    { op: "count", databaseId: "database", from: 0, to: ROWS },
  ], {
    key: "key",
    fingerprint: "print",
    status: 200,
    etag: null,
    body: "{}",
    createdTime: 1,
    expiresTime: 2,
  });
  await store.saveUser(W, {
    id: "u",
    type: "person",
    name: "Ada",
    email: null,
    avatarUrl: null,
  });
  const key = { id: "k", name: "n8n", scopes: ["pages.read"], createdTime: 1, expiresTime: null };
  await store.addApiKey(W, key, "a".repeat(64));
  await store.rotateApiKey(W, "k", {
    hash: "b".repeat(64),
    now: 2,
    graceEnd: 3,
    expiresTime: 4,
  });
  await store.secret("cursors");
}

/** Reads what the service shows. */
async function seen(store: Store): Promise<unknown> {
  return [
    await store.rows(W, rowQuery({ sorts: BY_A, limit: 5 })),
    await store.rows(W, rowQuery({ filter: LONG_ENDS, limit: 5 })),
    await store.node(W, "p"),
    await store.links(W, { relationId: "r", side: "from", ids: ["row 1"] }),
    await store.lastNumber(W, "database"),
    await store.receipt(W, "key", 1),
    await store.user(W, "u"),
    await store.apiKey("a".repeat(64)),
    await store.apiKeyRevision(),
    await store.secret("cursors"),
  ];
}

/** Reads what searches match. */
async function wordsOf(store: Store): Promise<unknown> {
  const { parts: words } = await store.words(W, ["database", "row 1"]);
  return words.map(({ id, title, body }) => ({ id, title, body }));
}

async function withBoth(
  work: (folder: string, schema: Schema) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "recto-" });
  const schema = await openSchema();
  try {
    await work(folder, schema);
  } finally {
    await schema.connection.close();
    await Deno.remove(folder, { recursive: true });
  }
}

function run(args: string, folder: string, url: string): ReturnType<typeof copy> {
  const environment = { RECTO_DATA_DIR: folder, DATABASE_URL: url };
  return copy(args.split(" "), {
    environment: (name) => Reflect.get(environment, name),
    progress: () => {},
  });
}

Deno.test("copy() moves a service to PostgreSQL and back, and says that both are the same", async () => {
  await withBoth(async (folder, { connection, url }) => {
    const source = openSqliteStore(`${folder}/recto.db`);
    await fill(source);
    const before = await seen(source);
    const words = await wordsOf(source);
    await source.close();

    const there = await run("--from sqlite --to postgres", folder, url);
    assertEquals([there.code, there.stderr], [0, ""]);
    assertStringIncludes(there.stdout, `cells: ${3 * ROWS} rows, the same in both`);
    assertEquals(await seen(createPostgresStore(connection)), before);

    await Deno.remove(`${folder}/recto.db`);
    const back = await run("--from postgres --to sqlite", folder, url);
    assertEquals(back, there);
    const target = openSqliteStore(`${folder}/recto.db`);
    assertEquals(await seen(target), before);
    assertEquals(await wordsOf(target), words);
    await target.close();
  });
});

Deno.test("what was copied is found by its words once the service has started, and says how far it is", async () => {
  await withBoth(async (folder, { connection, url }) => {
    const source = openSqliteStore(`${folder}/recto.db`);
    await fill(source);
    await source.close();
    await run("--from sqlite --to postgres", folder, url);
    // -1 for a table that was never analyzed.
    const known = (table: string) =>
      connection.session.send("SELECT reltuples FROM pg_class WHERE oid = $1::text::regclass", [
        table,
      ]);
    assertEquals((await known("nodes"))[0]?.[0], ROWS + 3);
    const told: number[] = [];
    const { promise: filled, resolve } = Promise.withResolvers<void>();
    const onProgress = (pages: number) => {
      told.push(pages);
      resolve();
    };
    const store = await openPostgresStore({ url, size: 2, onProgress });
    await filled;
    assertEquals(told, [ROWS + 2]);
    assertEquals((await store.words(W, ["row 1"])).parts.length, 1);
    assertEquals(Number((await known("search_parts"))[0]?.[0]) > ROWS, true);
    await store.close();
    const again = await openPostgresStore({ url, size: 2, onProgress });
    assertEquals(told.length, 1);
    await again.close();
  });
});

Deno.test("copy() continues where it was stopped", async () => {
  await withBoth(async (folder, { url }) => {
    const store = openSqliteStore(`${folder}/recto.db`);
    await fill(store);
    await store.close();
    const source = await openSqliteArchive(`${folder}/recto.db`, "source");
    const target = await openPostgresArchive(url, "target");
    let written = 0;
    const stopping = {
      ...target,
      write: (...write: Parameters<typeof target.write>) =>
        ++written === 4 ? Promise.reject(new Error("stopped")) : target.write(...write),
    };
    const stopped = await copyAll(source, stopping, () => {}).catch((error) => error.message);
    assertEquals(stopped, "stopped");
    const starts: string[] = [];
    const copied = await copyAll(source, target, (what, table, rows) => {
      if (what === "copied") starts.push(`${table} ${rows}`);
    });
    assertEquals(copied.map((table) => table.target), copied.map((table) => table.source));
    // Users and two batches of nodes were copied already.
    assertEquals(starts[0], `nodes ${ROWS + 3}`);
    await source.close();
    await target.close();
  });
});

Deno.test("copy() rejects a target with content of its own, and writes nothing to it", async () => {
  await withBoth(async (folder, { connection, url }) => {
    const store = openSqliteStore(`${folder}/recto.db`);
    await done(store, insert(page("p")));
    await store.saveUser(W, person("u"));
    await store.close();
    const target = createPostgresStore(connection);
    await done(target, insert(page("q")));
    const { code, stdout, stderr } = await run("--from sqlite --to postgres", folder, url);
    assertEquals([code, stdout], [1, ""]);
    assertStringIncludes(stderr, "holds content that is not the source's: nodes. Copy to an empty");
    assertEquals(await target.user(W, "u"), undefined);
  });
});

Deno.test("copy() takes the source's secrets where the target has only been started", async () => {
  await withBoth(async (folder, { connection, url }) => {
    const source = openSqliteStore(`${folder}/recto.db`);
    const secrets = [await source.secret("cursors"), await source.secret("files")];
    await done(source, insert(page("p")));
    await source.close();
    const target = createPostgresStore(connection);
    await target.secret("files");
    await target.secret("started");
    const { code, stderr } = await run("--from sqlite --to postgres", folder, url);
    assertEquals([code, stderr], [0, ""]);
    assertEquals([await target.secret("cursors"), await target.secret("files")], secrets);
  });
});

Deno.test("copy() refuses a source that is not there, and makes none", async () => {
  await withBoth(async (folder, { connection, url }) => {
    const mistyped = await run("--from sqlite --to postgres", `${folder}/none`, url);
    assertEquals([mistyped.code, mistyped.stdout], [1, ""]);
    assertStringIncludes(mistyped.stderr, `There is no database: ${folder}/none/recto.db`);
    assertEquals([...Deno.readDirSync(folder)], []);

    await Deno.writeTextFile(`${folder}/recto.db`, "");
    const empty = await run("--from sqlite --to postgres", folder, url);
    assertStringIncludes(empty.stderr, `${folder}/recto.db is no database of Recto`);

    const schema = new URL(url).searchParams.get("search_path");
    await connection.session.send(`DROP TABLE ${schema}.migrations`, []);
    const bare = await run("--from postgres --to sqlite", folder, url);
    assertEquals(bare.code, 1);
    assertStringIncludes(bare.stderr, "DATABASE_URL names a database without tables of Recto");
  });
});

Deno.test("copy() and migrate() say in a sentence that the server is not there, or lets nobody in", async () => {
  await withBoth(async (folder, { url }) => {
    openSqliteStore(`${folder}/recto.db`).close();
    const away = url.replace(/:\d+\//, ":1/");
    const unknown = url.replace("//recto@", "//nobody@");
    for (const [wrong, why] of [[away, "ECONNREFUSED"], [unknown, '"nobody" does not exist']]) {
      const environment = (name: string) => name === "DATABASE_URL" ? wrong : undefined;
      const results = [
        await run("--from sqlite --to postgres", folder, wrong ?? ""),
        await migrate(["--plan"], { environment }),
        await migrate([], { environment }),
      ];
      for (const [index, { code, stdout, stderr }] of results.entries()) {
        assertEquals([code, stdout], [1, ""]);
        const verb = index === 0 ? "copy" : "migrate";
        assertStringIncludes(stderr, `Cannot ${verb}:\n  - DATABASE_URL cannot be used: `);
        assertStringIncludes(stderr, why ?? "");
      }
    }
  });
});

Deno.test("copy() refuses what names no two databases", async () => {
  for (const args of ["--from sqlite", "--from sqlite --to sqlite", "--from here --to there"]) {
    assertEquals((await run(args, "nowhere", "postgres://u@127.0.0.1/db")).code, 2);
  }
  const { code, stderr } = await run("--from sqlite --to postgres", "nowhere", "sqlite:x.db");
  assertEquals(code, 1);
  assertStringIncludes(stderr, "DATABASE_URL must be the URL of the PostgreSQL database");
});

Deno.test("every table and column of both databases is copied, or is one's own", async () => {
  await withBoth(async (folder, { connection, url }) => {
    openSqliteStore(`${folder}/recto.db`).close();
    const { db, close } = openConnection(`${folder}/recto.db`);
    const sqlite = db.prepare(`
      SELECT t.name || '.' || c.name AS column FROM pragma_table_list t, pragma_table_info(t.name) c
      WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite_%'
    `).all().map(({ column }) => String(column));
    close();
    const schema = new URL(url).searchParams.get("search_path");
    assert(schema);
    const postgres = await connection.session.send(
      `SELECT table_name || '.' || column_name FROM information_schema.columns
      WHERE table_schema = $1`,
      [schema],
    );
    const copied = TABLES.flatMap(({ name, columns }) =>
      Object.keys(columns).map((column) => `${name}.${column}`)
    );
    const others = (all: readonly string[]) => all.filter((column) => !copied.includes(column));
    // Search tables and text blocks are not copied but rebuilt.
    const tablesOf = (all: readonly string[]) =>
      [...new Set(others(all).map((column) => column.split(".")[0] ?? ""))]
        .filter((name) => !/^(?:search|text)_/.test(name)).sort();
    // Long texts are copied with the cells that they belong to; commits in slices are finished first.
    assertEquals(tablesOf(sqlite), [
      ...["long_texts", "migrations", "sliced_commits", "sliced_positions", "space_probe"],
    ]);
    assertEquals(tablesOf(postgres.map(([column]) => String(column))), [
      // A proof that the source has seen is refused by the target for its nonce or its age.
      "dpop_proofs",
      "migrations",
      "space_probe",
      "workspaces",
    ]);
  });
});
