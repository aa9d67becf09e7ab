import { AppError } from "../../src/shared/errors.ts";
import { type Connection, openConnection } from "../../src/store/postgres/connection.ts";
import { createPostgresStore } from "../../src/store/postgres/store.ts";
import type { Store } from "../../src/store/port.ts";
import { assert, assertEquals, assertRejects } from "../assert.ts";
import { W } from "../store/contract_support.ts";
import { insert, page, receipt, update } from "../store/samples.ts";
import { openSchema } from "../support/stores.ts";
import { type Relay, startRelay } from "./relay.ts";
import { eventually } from "../support/eventually.ts";

interface Place {
  readonly relay: Relay;
  /** Store behind the relay. */
  readonly connection: Connection;
  readonly store: Store;
  /** Connection that bypasses the relay. */
  readonly direct: Connection;
}

/** Runs work on a store behind a relay, with a page `p` in it and all its connections open. */
async function behindRelay(work: (place: Place) => Promise<void>): Promise<void> {
  const { url, connection: direct } = await openSchema();
  await using relay = startRelay(url);
  const connection = openConnection({ url: relay.url, size: 6 });
  const store = createPostgresStore(connection);
  try {
    await store.commit(W, insert(page("p")));
    const settle = () => connection.transaction((session) => session.send("SELECT 1", []));
    await Promise.all(Array.from({ length: 6 }, () => [store.node(W, "p"), settle()]).flat());
    await work({ relay, connection, store, direct });
  } finally {
    await connection.close();
    await direct.close();
  }
}

async function assertUnavailable(work: () => Promise<unknown>): Promise<string> {
  const error = await assertRejects(work, AppError);
  assertEquals([error.code, error.headers["retry-after"]], ["service_unavailable", "1"]);
  return error.message;
}

Deno.test("reads and commits go on when all connections went silent", () =>
  behindRelay(async ({ relay, store }) => {
    relay.silence();
    const [found, ...outcomes] = await Promise.all([
      store.node(W, "p"),
      store.commit(W, [update("p", 1)]),
      store.commit("other", insert(page("q"))),
      ...Array.from({ length: 20 }, () => store.versions(W, ["p"]).then(() => "committed")),
    ]);
    assertEquals(found?.id, "p");
    assertEquals([...new Set(outcomes)], ["committed"]);
    await store.ping();
    assertEquals((await store.versions(W, ["p"])).get("p"), 2);
  }));

Deno.test("once one connection went silent, no request waits for another", () =>
  behindRelay(async ({ relay, store }) => {
    const before = relay.opened;
    relay.silence();
    await store.node(W, "p");
    const renewed = relay.opened;
    assert(renewed > before, "the read went over a new connection");
    for (let read = 0; read < 6; read++) await store.node(W, "p");
    assertEquals(await store.commit(W, [update("p", 1)]), "committed");
  }));

Deno.test("ping() fails while one connection is silent, and when it was given up no more", () =>
  behindRelay(async ({ relay, store }) => {
    relay.hang();
    assertEquals(
      await assertUnavailable(() => store.ping()),
      "Database does not answer",
    );
    relay.resume();
    await eventually(() => store.ping());
  }));

Deno.test("a database that does not answer at all is told, and served from as soon as it does", () =>
  behindRelay(async ({ relay, store }) => {
    relay.hang();
    await Promise.all([
      assertUnavailable(() => store.node(W, "p")),
      assertUnavailable(() => store.commit(W, [update("p", 1)])),
    ]);
    relay.resume();
    assertEquals(await eventually(() => store.commit(W, [update("p", 1)])), "committed");
  }));

Deno.test("a slow statement is no silence", () =>
  behindRelay(async ({ relay, connection }) => {
    const before = relay.opened;
    await connection.transaction((session) => session.send("SELECT pg_sleep(6)", []));
    assert(relay.opened > before, "the server was asked whether it works on it");
    assertEquals((await connection.session.send("SELECT 1", [])).length, 1);
  }));

Deno.test("a transaction that fell silent holds no lock, and is done again", () =>
  behindRelay(async ({ relay, connection, store }) => {
    let runs = 0;
    await connection.transaction(async (session) => {
      await session.send("SELECT FROM nodes WHERE workspace_id = $1 FOR UPDATE", [W]);
      if (++runs === 1) relay.silence();
      await session.send("UPDATE nodes SET version = 7 WHERE workspace_id = $1", [W]);
    });
    assertEquals([runs, (await store.versions(W, ["p"])).get("p")], [2, 7]);
  }));

Deno.test("a commit that falls silent is refused, not repeated, and its key tells what became of it", () =>
  behindRelay(async ({ relay, connection, store, direct }) => {
    const told = await assertUnavailable(() =>
      connection.transaction(
        (session) => session.send("UPDATE nodes SET version = 7 WHERE workspace_id = $1", [W]),
        () => Promise.resolve(relay.silence()),
      )
    );
    assert(told.includes("Idempotency-Key"), told);
    const outcome = await store.commit(W, insert(page("q")), receipt("k"));
    assertEquals(outcome, "committed");
    assertEquals((await createPostgresStore(direct).receipt(W, "k", 0))?.key, "k");
  }));

Deno.test("reads that wait for a lock are rejected together, not one after the other", () =>
  behindRelay(async ({ store, direct }) => {
    await direct.transaction(async (session) => {
      await session.send("LOCK TABLE nodes IN ACCESS EXCLUSIVE MODE", []);
      // The server's limit is 5 s for each; the later ones do not wait for it.
      const told = await Promise.all(
        Array.from({ length: 12 }, () => assertUnavailable(() => store.node(W, "p"))),
      );
      assertEquals([...new Set(told)], ["Database took too long to answer: try again"]);
      // New statements do not queue behind them.
      await assertUnavailable(() => store.node(W, "p"));
      await assertUnavailable(() => store.ping());
    });
    assertEquals((await eventually(() => store.node(W, "p")))?.id, "p");
    await eventually(() => store.ping());
  }));
