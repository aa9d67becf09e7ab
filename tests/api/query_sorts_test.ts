import { assertEquals } from "../assert.ts";
import { withFaithfulApp } from "../support/faithful.ts";
import { namedRows, newDatabase, query } from "./database_driver.ts";
import { type Fixture, withFixture } from "./query_fixture.ts";

/** The rows in ascending and descending order; empty values come last in both. */
type Order = readonly [ascending: string, descending: string];

const VALUED: Order = ["a b -", "b a -"];
const PRESENT: Order = ["a b -", "- b a"];

const ORDERS: Readonly<Record<string, Order>> = {
  Name: VALUED,
  rich_text: VALUED,
  url: VALUED,
  email: VALUED,
  phone_number: VALUED,
  number: VALUED,
  // Rows with equal values are in the order of creation, or the reverse.
  checkbox: ["b - a", "a - b"],
  select: VALUED,
  status: VALUED,
  multi_select: VALUED,
  date: VALUED,
  people: ["a b -", "b a -"],
  files: VALUED,
  relation: ["a b -", "b a -"],
  verification: ["b a -", "a b -"],
  unique_id: PRESENT,
  created_time: PRESENT,
  last_edited_time: PRESENT,
  created_by: VALUED,
  last_edited_by: VALUED,
  "formula rich_text": VALUED,
  "formula number": VALUED,
  "formula checkbox": ["b - a", "a - b"],
  "formula date": VALUED,
  cost: VALUED,
  "rollup Name": VALUED,
  "rollup number": VALUED,
  "rollup select": VALUED,
};

async function assertOrder({ find }: Fixture, by: object, [ascending, descending]: Order) {
  for (const [direction, rows] of Object.entries({ ascending, descending })) {
    for (const pageSize of [100, 1, 2]) {
      const told = JSON.stringify([by, direction, pageSize]);
      assertEquals(await find({ sorts: [{ ...by, direction }] }, pageSize), rows, told);
    }
  }
}

Deno.test("rows are sorted by every type in both directions, empty values last, page by page", () =>
  withFixture(async (fixture) => {
    for (const [property, order] of Object.entries(ORDERS)) {
      await assertOrder(fixture, { property }, order);
    }
    await assertOrder(fixture, { timestamp: "created_time" }, PRESENT);
    await assertOrder(fixture, { timestamp: "last_edited_time" }, PRESENT);
    await assertOrder(fixture, { property: "title" }, VALUED);
    assertEquals(await fixture.find({}), "- b a");
  }));

Deno.test("options are sorted by their order in the schema, texts by their letters, and sorts take precedence in order", () =>
  withFaithfulApp(async (app) => {
    const options = ["high", "low", "mid"].map((name) => ({ name }));
    const { id } = await newDatabase(app, { Level: { select: { options } } });
    const level = (name: string) => ({ Level: { select: { name } } });
    await namedRows(app, id, {
      "item 10": level("mid"),
      Zebra: level("high"),
      "élan": level("low"),
      "": {},
      apple: level("mid"),
      "Item 9": level("low"),
      Elan: {},
    });
    const order = async (...sorts: readonly (readonly [string, string])[]) =>
      (await query(app, id, {
        sorts: sorts.map(([property, direction]) => ({ property, direction })),
      }, 2)).join();
    const [up, down] = ["ascending", "descending"] as const;
    assertEquals(
      await order(["Name", up]),
      "apple,Elan,élan,item 10,Item 9,Zebra,",
    );
    assertEquals(
      await order(["Level", up], ["Name", up]),
      "Zebra,élan,Item 9,apple,item 10,Elan,",
    );
    assertEquals(
      await order(["Level", down], ["Name", down]),
      "item 10,apple,Item 9,élan,Zebra,Elan,",
    );
    assertEquals(
      await order(["Level", down], ["Name", up]),
      "apple,item 10,élan,Item 9,Zebra,Elan,",
    );
  }));
