import { type Connection, openConnection } from "../../src/store/postgres/connection.ts";
import { migrate } from "../../src/store/postgres/migrations.ts";
import type { Session } from "../../src/store/postgres/query.ts";
import { createPostgresStore } from "../../src/store/postgres/store.ts";
import { assert, assertEquals } from "../assert.ts";
import { newDatabase, newRow, titled } from "../api/database_driver.ts";
import { append, newPage, paragraph, succeed } from "../api/driver.ts";
import { insert, page } from "../store/samples.ts";
import { type TestApp, withApp } from "../support/app.ts";
import { startCluster } from "./cluster.ts";

/** Rows of the database once it has grown. */
const ROWS = 1_200;
/** Maximum number of table rows that one commit may read. */
const MOST = 100;
/** As a server does until autovacuum has seen the tables, a minute or so. */
const WITHOUT_STATISTICS = { fsync: false, settings: ["autovacuum=off"] };

interface Counted {
  readonly connection: Connection;
  /** Table rows that the commits since the last call read. */
  taken(): number;
}

// Of transactions that the server has not counted yet, too: only the difference is of one.
const READ = `
  SELECT coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0) FROM pg_stat_xact_user_tables
`;

async function readBy(session: Session): Promise<number> {
  const [[read] = []] = await session.send(READ, []);
  return Number(read);
}

/** Opens one connection for commits, whose plans it keeps, and one for all else. */
async function openCounted(url: string): Promise<Counted> {
  const connection = openConnection({ url, size: 2, isPatient: true });
  await migrate(connection);
  let rows = 0;
  const transaction: Connection["transaction"] = (work, last) =>
    connection.transaction(
      async (session) => {
        const before = readBy(session);
        return { result: await work(session), before: await before };
      },
      async (session, { result, before }) => {
        const written = last?.(session, result);
        // Sent behind the last statements, so it counts them.
        const after = readBy(session);
        await written;
        rows += await after - before;
      },
    ).then(({ result }) => result);
  return {
    connection: { ...connection, transaction },
    taken() {
      const taken = rows;
      rows = 0;
      return taken;
    },
  };
}

type Deed = () => Promise<unknown>;

/** One write of each common kind. */
async function deedsOf(app: TestApp): Promise<Readonly<Record<string, Deed>>> {
  const properties = { No: { unique_id: {} }, Amount: { number: {} }, Kind: { select: {} } };
  const { id } = await newDatabase(app, properties);
  const page = await newPage(app);
  let last = "";
  const values = () => ({
    Name: titled("row"),
    Amount: { number: Math.random() },
    Kind: { select: { name: "A" } },
  });
  return {
    "a row": async () => last = (await newRow(app, id, values())).id,
    "values": () => succeed(app, `PATCH /v2/pages/${last}`, { body: { properties: values() } }),
    "a page": () => newPage(app, { parent: { page_id: page } }),
    "a block": () => append(app, page, { children: [paragraph("text")] }),
    "the trash": () => succeed(app, `PATCH /v2/pages/${last}`, { body: { in_trash: true } }),
  };
}

/** Returns an issue for each deed that reads more rows than it may. */
async function issuesOf(
  deeds: Readonly<Record<string, Deed>>,
  taken: () => number,
): Promise<string[]> {
  const issues: string[] = [];
  for (const [name, deed] of Object.entries(deeds)) {
    taken();
    await deed();
    const read = taken();
    if (read > MOST) issues.push(`${name}: ${read} rows`);
  }
  return issues;
}

Deno.test("a commit reads few rows by the plans of an empty database, and by those of a small one", async () => {
  await using cluster = await startCluster(WITHOUT_STATISTICS);
  const { connection, taken } = await openCounted(cluster.url);
  await withApp(async (app) => {
    const deeds = await deedsOf(app);
    const grow = async (count: number) => {
      for (let done = 0; done < count; done += 20) {
        await Promise.all(Array.from({ length: 20 }, () => deeds["a row"]?.()));
      }
    };
    assertEquals(await issuesOf(deeds, taken), [], "plans are made");
    await grow(ROWS / 4);
    assertEquals(await issuesOf(deeds, taken), [], "plans of an empty database");
    await connection.session.send("VACUUM ANALYZE", []);
    assertEquals(await issuesOf(deeds, taken), [], "plans of a small database");
    await grow(ROWS);
    assertEquals(await issuesOf(deeds, taken), [], "plans of a database that was small");
  }, { store: createPostgresStore(connection), judged: false });
});

Deno.test("a row is read alone, though most nodes of the workspace are rows of one database", async () => {
  await using cluster = await startCluster(WITHOUT_STATISTICS);
  const { connection } = await openCounted(cluster.url);
  const store = createPostgresStore(connection);
  const row = { parentId: "d", parentKind: "database" } as const;
  const ids = Array.from({ length: ROWS }, (_, n) => `row ${n}`);
  const rows = ids.map((id) => page(id, { ...row, position: id }));
  await store.commit("w", insert(page("d", { kind: "database" }), ...rows));
  await connection.session.send("VACUUM ANALYZE", []);
  await connection.transaction(async (session) => {
    const reading = createPostgresStore({ ...connection, session });
    const before = await readBy(session);
    assertEquals((await reading.firstNodes("w", ids.slice(0, 10))).length, 10);
    const read = await readBy(session) - before;
    assert(read < MOST, `${read} rows`);
  });
});
