import type { Store } from "../../../src/store/port.ts";
import { type Connection, openConnection } from "../../../src/store/sqlite/connection.ts";
import { migrate } from "../../../src/store/sqlite/migrations.ts";
import { createSqliteStore } from "../../../src/store/sqlite/store.ts";
import { idsWithin, packTexts, type TextTest } from "../../../src/store/text_blocks.ts";
import { keepHouse } from "../../../src/maintenance/housekeeping.ts";
import { assert, assertEquals } from "../../assert.ts";
import { sealSome } from "../contract_rows_model.ts";
import { done, W } from "../contract_support.ts";
import { cellsOf, D, database, rowNode, textCell } from "../row_samples.ts";
import { insert, LATER } from "../samples.ts";

const DOC = JSON.stringify({ cover: null, icon: null, values: {} });

async function withBlocks(work: (store: Store, connection: Connection) => Promise<void>) {
  const connection = openConnection(":memory:");
  migrate(connection);
  const store = createSqliteStore(connection);
  try {
    await done(store, insert(database()));
    await done(
      store,
      ["r", "s", "t"].map((id) => ({
        op: "insert",
        node: rowNode(id, { doc: DOC }),
        cells: cellsOf("a", textCell(`secret ${id}`)),
      })),
    );
    await sealSome(store, 9);
    await work(store, connection);
  } finally {
    await store.close();
  }
}

function textsIn({ db }: Connection): unknown[] {
  return db.prepare("SELECT texts FROM text_blocks").all().map(({ texts }) => texts);
}

function blocksIn({ db }: Connection): number {
  return db.prepare("SELECT 1 FROM text_blocks UNION ALL SELECT 1 FROM text_block_rows").all()
    .length;
}

Deno.test("the texts of a row that is purged are in no block", () =>
  withBlocks(async (store, connection) => {
    assertEquals(textsIn(connection), ["secret r\u0001secret s\u0001secret t\u0001"]);
    await store.beginPurge(W, "s", LATER);
    while (await store.purgeSlice(W, "s", 10) > 0);
    assertEquals(textsIn(connection), [null]);
    await sealSome(store, 9);
    assertEquals(textsIn(connection), ["secret r\u0001secret t\u0001"]);
  }));

Deno.test("a database or a workspace that is deleted leaves no blocks", async () => {
  await withBlocks(async (store, connection) => {
    await store.beginPurge(W, D, LATER);
    while (await store.purgeSlice(W, D, 10) > 0);
    assertEquals(blocksIn(connection), 0);
  });
  await withBlocks(async (store, connection) => {
    while (await store.deleteWorkspaceSlice(W, 2) > 0);
    assertEquals(blocksIn(connection), 0);
  });
});

Deno.test("a property that is deleted leaves no blocks", () =>
  withBlocks(async (store, connection) => {
    await done(store, [{ op: "deleteCells", databaseId: D, propertyId: "a" }]);
    assertEquals(blocksIn(connection), 0);
  }));

Deno.test("a property with a new type leaves the texts of its rows in no block", () =>
  withBlocks(async (store, connection) => {
    const more = ["u", "v", "w", "x"].map((id) => rowNode(id, { doc: DOC, createdTime: 2_000 }));
    const cells = cellsOf("a", textCell("more"));
    await done(store, more.map((node) => ({ op: "insert", node, cells })));
    await sealSome(store, 9);
    assertEquals(textsIn(connection).filter((texts) => texts !== null).length, 2);
    const property = { id: "a", name: "A", description: null } as const;
    await done(store, [{
      ...{ op: "reshape", databaseId: D, time: 0, isNumbered: false },
      before: [{ ...property, type: "rich_text" }],
      after: [{ ...property, type: "number", format: "number" }],
    }]);
    assertEquals(textsIn(connection), [null, null]);
  }));

Deno.test("housekeeping seals the texts of a large database", () =>
  withBlocks(async (store, connection) => {
    for (let part = 0; part < 41; part++) {
      await done(
        store,
        Array.from({ length: 100 }, (_, at) => ({
          op: "insert",
          node: rowNode(`x${part}-${at}`, { position: `${part}-${at}` }),
          cells: cellsOf("a", textCell("text")),
        })),
      );
    }
    const options = { store, retention: Infinity, now: () => 0 };
    await keepHouse(options, () => Promise.resolve());
    assertEquals(textsIn(connection).length, 17);
  }));

Deno.test("packTexts() takes rows for as long as a block has room, and marks long texts", () => {
  const row = (id: string, ...texts: string[]) => ({ id, texts });
  const rows = Array.from({ length: 9 }, (_, index) => row(`r${index}`, "猫".repeat(300)));
  assertEquals(packTexts(rows).rows, 4);
  const all = [row("a", "one", "two"), row("b"), row("c", "x".repeat(1_000)), row("d", "d\u0001")];
  const packed = packTexts(all);
  assert(packed.hasLong);
  assertEquals([packed.rows, packed.ids], [4, "a a c d"]);
  const test = (how: TextTest["how"], text: string): TextTest => ({
    is: "text",
    how,
    text,
    key: "",
  });
  assertEquals(idsWithin(packed, test("contains", "tw")), ["a", "c", "d"]);
  assertEquals(idsWithin(packed, test("ends", "tw")), ["c", "d"]);
});
