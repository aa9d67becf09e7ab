import fc from "fast-check";
import type { Store } from "../../src/store/port.ts";
import { LIMITS } from "../../src/content/values/limits.ts";
import { fitting } from "../../src/content/values/page_end.ts";
import { assert, assertEquals } from "../assert.ts";
import { openStore } from "../support/stores.ts";
import { type TestApp, withApp } from "../support/app.ts";
import { newDatabase, newRow } from "./database_driver.ts";
import { append, newPage, succeed, text } from "./driver.ts";

const LONG = Array.from({ length: 100 }, () => text(`long ${"x".repeat(1_990)}`)).flat();
const COUNT = 13;

interface Page {
  readonly results: readonly { readonly id: string }[];
  readonly next_cursor: string | null;
  readonly has_more: boolean;
}

/** All items of a list, and the number of items on each page. */
async function walk(read: (cursor: string | undefined) => Promise<Page>) {
  const ids: string[] = [];
  const sizes: number[] = [];
  let cursor: string | undefined;
  for (;;) {
    const { results, next_cursor, has_more } = await read(cursor);
    assertEquals(has_more, next_cursor !== null);
    ids.push(...results.map(({ id }) => id));
    sizes.push(results.length);
    if (next_cursor === null) return { ids, sizes };
    cursor = next_cursor;
  }
}

function assertShort({ sizes }: Awaited<ReturnType<typeof walk>>): void {
  assert(sizes.length > 1 && sizes[0] !== undefined && sizes[0] < COUNT, sizes.join());
  assert(!sizes.includes(0), "no page is empty");
}

/** A store that fails to read all rows, as for values that are computed row by row. */
async function storeOfPages(): Promise<Store> {
  const store = await openStore(":memory:");
  return { ...store, rows: () => Promise.reject(new Error("All rows are read")) };
}

Deno.test("a page of long rows ends early, and its cursor continues with the others", async () =>
  await withApp(async (app) => {
    const { id } = await newDatabase(app, { Text: { rich_text: {} } });
    const ids: string[] = [];
    for (let n = 0; n < COUNT; n++) {
      ids.push((await newRow(app, id, { Text: { rich_text: LONG } })).id);
    }
    const read = (body: object) => (cursor?: string) =>
      succeed(app, `POST /v2/databases/${id}/query`, {
        body: { ...body, ...(cursor !== undefined && { start_cursor: cursor }) },
      });
    const sorted = { sorts: [{ timestamp: "created_time", direction: "ascending" }] };
    const computed = { sorts: [{ property: "By", direction: "ascending" }] };
    const grouped = { sorts: [{ property: "Count", direction: "ascending" }] };
    const Other = { relation: { database_id: id, single_property: {} } };
    const Count = {
      rollup: {
        relation_property_name: "Other",
        rollup_property_name: "Text",
        function: "count",
      },
    };
    for (const properties of [{ By: { created_by: {} }, Other }, { Count }]) {
      await succeed(app, `PATCH /v2/databases/${id}`, { body: { properties } });
    }
    for (const body of [{}, sorted, computed, grouped]) {
      const found = await walk(read(body));
      assertShort(found);
      assertEquals(found.ids.toSorted(), ids.toSorted());
    }
    assertEquals((await walk(read(sorted))).ids, ids);
  }, { materializing: { from: 1 }, store: await storeOfPages() }));

Deno.test("a page of long blocks or search results ends early too", () =>
  withApp(async (app) => {
    const page = await newPage(app);
    for (let n = 0; n < COUNT; n++) await append(app, page, { children: [paragraphOf(LONG)] });
    const children = await walk((cursor) =>
      succeed(app, `GET /v2/blocks/${page}/children${cursor ? `?start_cursor=${cursor}` : ""}`)
    );
    assertShort(children);
    assertEquals(new Set(children.ids).size, COUNT);
    const found = await foundPages(app);
    assertShort(found);
    // The page that contains these blocks has the word too.
    assertEquals(new Set(found.ids).size, COUNT + 1);
  }));

function paragraphOf(rich_text: readonly object[]): object {
  return { paragraph: { rich_text } };
}

async function foundPages(app: TestApp) {
  for (let n = 0; n < COUNT; n++) {
    await succeed(app, "POST /v2/pages", {
      body: { parent: { workspace: true }, properties: { title: { title: LONG } } },
    });
  }
  const filter = { property: "object", value: "page" };
  return await walk((cursor) =>
    succeed(app, "POST /v2/search", {
      body: { query: "long", filter, ...(cursor && { start_cursor: cursor }) },
    })
  );
}

Deno.test("a page takes items until it is full, but at least one", () => {
  const lengths = fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 30 });
  fc.assert(fc.property(lengths, fc.integer({ min: 1, max: 200 }), (lengths, most) => {
    const shown = fitting(lengths, (length) => length, most);
    const sum = (some: readonly number[]) => some.reduce((all, length) => all + length, 0);
    assertEquals(shown, lengths.slice(0, shown.length));
    assert(shown.length > 0 || lengths.length === 0);
    assert(sum(shown.slice(0, -1)) < most);
    assert(shown.length === lengths.length || sum(shown) >= most);
  }));
});

Deno.test("long rows that another is computed from or linked to are read a page at a time", async () => {
  const store = await openStore(":memory:");
  const lengths: number[] = [];
  const reads: Store = {
    ...store,
    firstNodes: async (...asked) => {
      const nodes = await store.firstNodes(...asked);
      lengths.push(nodes.slice(0, -2).reduce((length, { doc }) => length + doc.length, 0));
      return nodes;
    },
  };
  await withApp(async (app) => {
    const { id } = await newDatabase(app, { Text: { rich_text: {} } });
    const rows: { readonly id: string }[] = [];
    for (let n = 0; n < COUNT; n++) rows.push(await newRow(app, id, { Text: { rich_text: LONG } }));
    const boxes = await newDatabase(app, {
      Rows: { relation: { database_id: id, single_property: {} } },
      Count: {
        rollup: {
          relation_property_name: "Rows",
          rollup_property_name: "Text",
          function: "not_empty",
        },
      },
    });
    const relation = rows.map(({ id }) => ({ id }));
    const { properties } = await newRow(app, boxes.id, { Rows: { relation } });
    assertEquals(properties.Count.rollup.number, COUNT);
    assert(lengths.length >= 4, "the rows are read when they are linked and when they are counted");
    assert(lengths.every((length) => length < LIMITS.pageLength), lengths.join());
  }, { store: reads });
});
