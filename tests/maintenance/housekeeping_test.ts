import { keepHouse } from "../../src/maintenance/housekeeping.ts";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import type { Store } from "../../src/store/port.ts";
import { assertEquals, assertRejects } from "../assert.ts";
import { block, insert, page, receipt, trash } from "../store/samples.ts";

const HOUR = 3_600_000;
const noRest = () => Promise.resolve();

/** Two workspaces with a page that was deleted at 2,000 ms, and one that was not. */
async function withTrash(work: (store: Store) => Promise<void>): Promise<void> {
  const store = openSqliteStore(":memory:");
  for (const workspace of ["v", "w"]) {
    await store.commit(workspace, insert(page("a"), page("kept")));
    await store.commit(
      workspace,
      insert(block("b", "a", { parentKind: "page", containerId: "a" })),
    );
    await store.commit(workspace, [trash("a")]);
  }
  await work(store);
  await store.close();
}

function count(store: Store, workspace: string): Promise<number> {
  return store.firstNodes(workspace, ["a", "b", "kept"]).then(({ length }) => length);
}

Deno.test("a round deletes what has been in the trash for longer than the retention", () =>
  withTrash(async (store) => {
    await keepHouse({ store, retention: HOUR, now: () => HOUR + 1_999 }, noRest);
    assertEquals([await count(store, "v"), await count(store, "w")], [3, 3]);
    await keepHouse({ store, retention: HOUR, now: () => HOUR + 2_000 }, noRest);
    assertEquals([await count(store, "v"), await count(store, "w")], [1, 1]);
  }));

Deno.test("without a retention the trash stays, whatever its age", () =>
  withTrash(async (store) => {
    await keepHouse({ store, retention: Infinity, now: () => Number.MAX_SAFE_INTEGER }, noRest);
    assertEquals([await count(store, "v"), await count(store, "w")], [3, 3]);
  }));

Deno.test("a round continues a purge that was interrupted", () =>
  withTrash(async (store) => {
    await store.beginPurge("w", "a", { time: 1, by: "x" });
    await store.purgeSlice("w", "a", 1);
    assertEquals(await count(store, "w"), 2);
    await keepHouse({ store, retention: Infinity, now: () => 0 }, noRest);
    assertEquals([await count(store, "v"), await count(store, "w")], [3, 1]);
    assertEquals(await store.purges(10), []);
  }));

Deno.test("a round deletes the expired receipts of all workspaces, whether anybody writes or not", () =>
  withTrash(async (store) => {
    for (const workspace of ["v", "w"]) {
      for (let n = 0; n < 150; n++) {
        await store.commit(
          workspace,
          [],
          receipt(`${n}`, { createdTime: 0, expiresTime: 500 + n }),
        );
      }
    }
    await keepHouse({ store, retention: Infinity, now: () => 648 }, noRest);
    const left = [(await store.usage("v")).receipts, (await store.usage("w")).receipts];
    assertEquals(left, [1, 1]);
  }));

Deno.test("a round that is stopped leaves the rest to the next one", () =>
  withTrash(async (store) => {
    const stop = () => Promise.reject(new Error("stopped"));
    await assertRejects(() => keepHouse({ store, retention: 1, now: () => HOUR }, stop), Error);
    await keepHouse({ store, retention: 1, now: () => HOUR }, noRest);
    assertEquals([await count(store, "v"), await count(store, "w")], [1, 1]);
  }));

Deno.test("what fails in one workspace does not keep the round from the others, and is told", () =>
  withTrash(async (store) => {
    for (const workspace of ["v", "w"]) {
      await store.commit(workspace, [], receipt("k", { createdTime: 0, expiresTime: 1 }));
    }
    const refuse = (workspace: string) => {
      if (workspace === "v") throw new Error("v is busy");
    };
    const busy: Store = {
      ...store,
      expireReceipts: async (workspace, ...args) => {
        refuse(workspace);
        return await store.expireReceipts(workspace, ...args);
      },
      purgeSlice: async (workspace, ...args) => {
        refuse(workspace);
        return await store.purgeSlice(workspace, ...args);
      },
    };
    await store.beginPurge("v", "kept", { time: 1, by: "x" });
    const round = () => keepHouse({ store: busy, retention: 1, now: () => HOUR }, noRest);
    await assertRejects(round, Error, "v is busy");
    assertEquals([await count(store, "v"), await count(store, "w")], [3, 1]);
    assertEquals((await store.usage("w")).receipts, 0);
  }));
