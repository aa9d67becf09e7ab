import type { Connection } from "../../src/store/postgres/connection.ts";
import type { Store, TransactionPart } from "../../src/store/port.ts";
import { UnknownOutcome } from "../../src/store/postgres/failures.ts";
import { createSharedTransactions } from "../../src/store/postgres/shared_transaction.ts";
import { createPostgresStore } from "../../src/store/postgres/store.ts";
import { readPhrases } from "../../src/search/text/query.ts";
import { assertEquals, assertRejects } from "../assert.ts";
import { W } from "../store/contract_support.ts";
import { D, database, rowNode } from "../store/row_samples.ts";
import { insert, page, receipt, trash, update } from "../store/samples.ts";
import { openSchema } from "../support/stores.ts";

/** Runs a test on an empty store whose shared transactions may take any time. */
async function withStore(
  test: (store: Store, connection: Connection) => Promise<void>,
): Promise<void> {
  const { connection } = await openSchema();
  try {
    const shareTransaction = createSharedTransactions(connection, { time: Infinity });
    await test({ ...createPostgresStore(connection), shareTransaction }, connection);
  } finally {
    await connection.close();
  }
}

function share(store: Store, ...works: ((part: TransactionPart) => Promise<unknown>)[]) {
  return store.shareTransaction?.(W, works);
}

/** Inserts a page; undefined if that is a conflict. */
const inserting = (id: string) => async ({ commit }: TransactionPart) =>
  await commit(insert(page(id))) === "committed" ? id : undefined;

async function idsOf(store: Store): Promise<string[]> {
  return await store.pageIds(W, { after: "", limit: 100 });
}

async function pagesWith(store: Store, word: string): Promise<string[]> {
  const phrases = readPhrases(word);
  const { matches } = await store.findWords(W, { phrases, match: "all", scope: {}, limit: 100 });
  return matches.map(({ id }) => id).toSorted();
}

Deno.test("writes that share a transaction see what those before them changed, and no one else does", () =>
  withStore(async (store) => {
    const outcomes = await share(
      store,
      inserting("a"),
      async ({ reading, commit }) => {
        const seen = await reading.node?.(W, "a");
        assertEquals(await store.node(W, "a"), undefined, "not committed");
        await commit([update("a", seen?.version ?? 0)]);
        return seen?.title;
      },
      async ({ reading }) => (await reading.node?.(W, "a"))?.version,
    );
    assertEquals(outcomes?.map((outcome) => Reflect.get(outcome, "value")), [
      "a",
      "Title of a",
      2,
    ]);
    assertEquals((await store.node(W, "a"))?.version, 2);
  }));

Deno.test("a write that throws or conflicts undoes its part alone", () =>
  withStore(async (store) => {
    await store.commit(W, insert(page("old")));
    const error = new RangeError("no");
    const outcomes = await share(
      store,
      inserting("a"),
      async ({ commit }) => {
        await commit(insert(page("b")));
        throw error;
      },
      async ({ commit }) =>
        await commit([...insert(page("c")), update("old", 7)]) === "conflict" ? undefined : "c",
      inserting("d"),
    );
    assertEquals(outcomes, [
      { status: "fulfilled", value: "a" },
      { status: "rejected", reason: error },
      { status: "fulfilled", value: undefined },
      { status: "fulfilled", value: "d" },
    ]);
    assertEquals(await idsOf(store), ["a", "d", "old"]);
    assertEquals(await pagesWith(store, "title"), ["a", "d", "old"]);
  }));

Deno.test("no statement of a write that conflicts is sent after it was undone", () =>
  withStore(async (store, { session }) => {
    await store.commit(W, insert(database(), rowNode("r")));
    const outdated = { op: "expect", id: D, version: 9 } as const;
    const relation = { relationId: "relation", side: "from" } as const;
    // They read first, and write what they find to be missing.
    const link = { op: "link", ...relation, id: "r", others: [] } as const;
    const count = { op: "countAllLinks", ...relation, databaseId: D } as const;
    assertEquals(await store.commit(W, [outdated, count]), "conflict");
    assertEquals(await store.commit(W, [outdated, link]), "conflict");
    assertEquals((await session.send("SELECT FROM link_counts", [])).count, 0);
  }));

Deno.test("a write that was undone changes nothing in the part of the next one", () =>
  withStore(async (store) => {
    const undone: TransactionPart[] = [];
    await share(
      store,
      (part) => Promise.resolve(void undone.push(part)),
      async ({ commit }) => {
        for (const part of undone) {
          await assertRejects(() => part.commit(insert(page("late"))), Error);
        }
        return await commit(insert(page("a")));
      },
    );
    assertEquals([undone.length, await idsOf(store)], [1, ["a"]]);
  }));

Deno.test("a shared transaction refuses a key that was used, and what may take long", () =>
  withStore(async (store) => {
    const keyed = (id: string) => ({ commit }: TransactionPart) =>
      commit(insert(page(id)), receipt("key"));
    const outcomes = await share(
      store,
      keyed("a"),
      keyed("b"),
      ({ commit }) => commit([trash("a")]),
    );
    assertEquals(outcomes?.map((outcome) => Reflect.get(outcome, "value")), [
      "committed",
      "conflict",
      "conflict",
    ]);
  }));

Deno.test("a statement that fails undoes the whole transaction, which says so", () =>
  withStore(async (store, { session }) => {
    const outcomes = await share(store, inserting("a"), async ({ commit }) => {
      const tooLong = "x".repeat(300_000);
      await commit(insert(page("b", { position: tooLong }))).catch(() => {});
      return "b";
    }, inserting("c"));
    assertEquals(outcomes, undefined);
    assertEquals(await idsOf(store), []);
    assertEquals((await session.send("SELECT FROM search_parts", [])).count, 0);
  }));

Deno.test("a shared transaction whose time is over leaves the other writes to the next one", () =>
  withStore(async (store, connection) => {
    const share = createSharedTransactions(connection, { time: 0 });
    const outcomes = await share(W, [inserting("a"), inserting("b")]);
    assertEquals(outcomes, [{ status: "fulfilled", value: "a" }]);
    assertEquals(await idsOf(store), ["a"]);
  }));

Deno.test("a shared transaction rejects only if it may have been committed", async () => {
  const failing = (error: Error) =>
    createSharedTransactions({ transactionOnce: () => Promise.reject(error) })(W, []);
  assertEquals(await failing(new Error("no connection")), undefined);
  await assertRejects(() => failing(new UnknownOutcome(new Error("cut"))), UnknownOutcome);
});
