import { AppError } from "../../src/shared/errors.ts";
import { type Connection, openConnection } from "../../src/store/postgres/connection.ts";
import { migrate } from "../../src/store/postgres/migrations.ts";
import { createPool } from "../../src/store/postgres/pool.ts";
import type { Session } from "../../src/store/postgres/query.ts";
import { createPostgresStore } from "../../src/store/postgres/store.ts";
import { assertEquals, assertRejects } from "../assert.ts";
import { W } from "../store/contract_support.ts";
import { insert, page, receipt, update } from "../store/samples.ts";
import { openSchema } from "../support/stores.ts";
import { withDatabase } from "./support.ts";

const KILL = "SELECT pg_terminate_backend(pg_backend_pid())";

interface Place {
  readonly connection: Connection;
  /** Connections to the same schema that are told something else of it. */
  open(settings: string): Connection;
}

/** Runs work on a schema of its own, and closes what it opened. */
async function withConnections(work: (place: Place) => Promise<void>): Promise<void> {
  const { url, connection } = await openSchema();
  const opened = [connection];
  const open = (settings: string): Connection => {
    const other = openConnection({ url: `${url}&${settings}`, size: 2 });
    opened.push(other);
    return other;
  };
  try {
    await work({ connection, open });
  } finally {
    await Promise.all(opened.map(({ close }) => close()));
  }
}

/** Asserts that work is refused as a client can try again, and answers the sentence. */
async function assertUnavailable(work: () => Promise<unknown>): Promise<string> {
  const error = await assertRejects(work, AppError);
  assertEquals([error.code, error.headers["retry-after"]], ["service_unavailable", "1"]);
  return error.message;
}

async function usersOf({ session }: Connection): Promise<number> {
  const [[count] = []] = await session.send("SELECT count(*) FROM users", []);
  return Number(count);
}

const add = (session: Session, id: string) =>
  session.send("INSERT INTO users (workspace_id, id, type) VALUES ($1, $2, 'bot')", [W, id]);

for (
  const [issue, sql] of [
    ["is cut", KILL],
    ["is chosen in a deadlock", "DO $$ BEGIN RAISE EXCEPTION '' USING ERRCODE = '40P01'; END $$"],
    ["cannot be serialized", "DO $$ BEGIN RAISE EXCEPTION '' USING ERRCODE = '40001'; END $$"],
  ] as const
) {
  Deno.test(`transaction() that ${issue} is run again and happens once`, () =>
    withConnections(async ({ connection }) => {
      let runs = 0;
      await connection.transaction(async (session) => {
        await add(session, "u");
        if (++runs === 1) await session.send(sql, []);
      });
      assertEquals([runs, await usersOf(connection)], [2, 1]);
    }));
}

Deno.test("transaction() sends nothing on a connection that was cut between two statements", () =>
  withConnections(async ({ connection }) => {
    let runs = 0;
    await connection.transaction(async (session) => {
      await add(session, `u${++runs}`);
      if (runs > 1) return;
      const [[pid] = []] = await session.send("SELECT pg_backend_pid()", []);
      await connection.session.send("SELECT pg_terminate_backend($1)", [Number(pid)]);
      // Until the server has forgotten it, so that the next statement meets a closed connection.
      const gone = "SELECT count(*) FROM pg_stat_activity WHERE pid = $1";
      while (Number((await connection.session.send(gone, [Number(pid)]))[0]?.[0]) > 0);
      await add(session, "lost");
    });
    assertEquals([runs, await usersOf(connection)], [2, 1]);
  }));

Deno.test("transaction() that fails in its last statements is undone, and says why", () =>
  withConnections(async ({ connection }) => {
    const failing = connection.transaction(
      (session) => add(session, "u"),
      (session) => Promise.all([add(session, "v"), add(session, "u")]),
    );
    assertEquals((await assertRejects(() => failing, Error)).message.includes("duplicate"), true);
    assertEquals(await usersOf(connection), 0);
  }));

Deno.test("transaction() that is cut in its last statements is refused, not repeated", () =>
  withConnections(async ({ connection }) => {
    let runs = 0;
    const told = await assertUnavailable(() =>
      connection.transaction(
        (session) => add(session, `u${++runs}`),
        (session) => session.send(KILL, []),
      )
    );
    assertEquals(told.includes("Idempotency-Key"), true, told);
    assertEquals([runs, await usersOf(connection)], [1, 0]);
  }));

Deno.test("reads and commits go on when all connections were cut meanwhile", () =>
  // A database of its own, so that it does not cut the connections of other tests.
  withDatabase("", async (connection) => {
    await migrate(connection);
    const store = createPostgresStore(connection);
    await store.commit(W, insert(page("p")));
    const others = `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '%nodes%'`;
    for (let round = 0; round < 5; round++) {
      await connection.session.send(others, []);
      await Promise.all(Array.from({ length: 20 }, () => store.node(W, "p")));
      assertEquals(await store.commit(W, [update("p", round + 1)]), "committed");
    }
    assertEquals((await store.versions(W, ["p"])).get("p"), 6);
  }));

Deno.test("commit() that is cut while it commits is refused, not repeated, and says so", () =>
  withConnections(async ({ connection }) => {
    const store = createPostgresStore(connection);
    await connection.session.send(
      `CREATE FUNCTION kill() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END';
      CREATE CONSTRAINT TRIGGER kill AFTER INSERT ON nodes
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION kill()`,
      [],
    );
    const commit = () => store.commit(W, insert(page("p")), receipt("k"));
    const told = await assertUnavailable(commit);
    assertEquals(told.includes("Idempotency-Key"), true, told);
    await connection.session.send("DROP TRIGGER kill ON nodes", []);
    // Neither the node nor its receipt is there: they stand and fall together.
    assertEquals(await store.receipt(W, "k", 0), undefined);
    assertEquals(await commit(), "committed");
  }));

Deno.test("commit() that does not get its turn in time is refused", () =>
  withConnections(async ({ connection, open }) => {
    const impatient = createPostgresStore(open("lock_timeout=50"));
    await connection.transaction(async (session) => {
      await session.send("INSERT INTO workspaces VALUES ($1)", [W]);
      await assertUnavailable(() => impatient.commit(W, insert(page("p"))));
      assertEquals(await impatient.commit("other", insert(page("p"))), "committed");
    });
    assertEquals(await impatient.commit(W, insert(page("p"))), "committed");
  }));

Deno.test("a workspace whose turn takes too long to come makes no other wait for less long", () =>
  withConnections(async ({ connection, open }) => {
    const impatient = open("lock_timeout=50");
    const waitOf = (workspace?: string) =>
      impatient.transaction(
        async (session) => (await session.send("SHOW lock_timeout", []))[0]?.[0],
        undefined,
        workspace,
      );
    await connection.transaction(async (session) => {
      await session.send("INSERT INTO workspaces VALUES ($1)", [W]);
      const commit = () => createPostgresStore(impatient).commit(W, insert(page("p")));
      await assertUnavailable(commit);
    });
    const waits = [await waitOf(W), await waitOf("other"), await waitOf()];
    assertEquals(waits, ["200ms", "50ms", "50ms"]);
  }));

Deno.test("a read-only standby answers reads and refuses the rest", () =>
  withConnections(async ({ connection, open }) => {
    await createPostgresStore(connection).commit(W, insert(page("p")));
    const standby = createPostgresStore(open("default_transaction_read_only=on"));
    assertEquals((await standby.node(W, "p"))?.id, "p");
    for (const write of [() => standby.commit(W, [update("p", 1)]), () => standby.ping()]) {
      const { code, headers } = await assertRejects(write, AppError);
      assertEquals([code, headers["retry-after"]], ["storage_read_only", "5"]);
    }
    assertEquals((await standby.versions(W, ["p"])).get("p"), 1);
  }));

Deno.test("a statement that takes too long is ended by the server and refused", () =>
  withConnections(async ({ connection, open }) => {
    const hasty = createPostgresStore(open("statement_timeout=50"));
    await connection.transaction(async (session) => {
      await session.send("LOCK TABLE nodes", []);
      await assertUnavailable(() => hasty.node(W, "p"));
    });
    assertEquals(await createPostgresStore(connection).node(W, "p"), undefined);
  }));

Deno.test("a pool lends each item to one user at a time, in turn, and refuses who waits too long", async () => {
  const { use } = createPool(["only"], 1);
  const release = Promise.withResolvers<void>();
  const first = use(() => release.promise);
  await assertUnavailable(() => use(() => Promise.resolve()));
  release.resolve();
  await first;
  assertEquals(await use((item) => Promise.resolve(item)), "only");
});

Deno.test("a server without room for more connections is out of reach", () =>
  withConnections(async ({ connection }) => {
    await connection.session.send(
      `DO $$ BEGIN CREATE ROLE few LOGIN CONNECTION LIMIT 0;
      EXCEPTION WHEN duplicate_object THEN NULL; END $$`,
      [],
    );
    const url = new URL(Deno.env.get("TEST_DATABASE_URL") ?? "");
    url.username = "few";
    const full = openConnection({ url: url.href, size: 2 });
    const store = createPostgresStore(full);
    try {
      await assertUnavailable(() => store.node(W, "p"));
      await assertUnavailable(() => store.commit(W, insert(page("p"))));
    } finally {
      await full.close();
    }
  }));
