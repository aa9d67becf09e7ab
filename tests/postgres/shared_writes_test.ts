import type { Store } from "../../src/store/port.ts";
import { createSharedTransactions } from "../../src/store/postgres/shared_transaction.ts";
import { createPostgresStore } from "../../src/store/postgres/store.ts";
import { assert, assertEquals } from "../assert.ts";
import { newDatabase, newRow, query, titled, valuesOf } from "../api/database_driver.ts";
import { succeed } from "../api/driver.ts";
import { type TestApp, withApp } from "../support/app.ts";
import { openSchema } from "../support/stores.ts";

const WRITERS = 40;

interface Counts {
  shared: number;
  transactions: number;
}

/** Runs a test on a store whose shared transactions may take any time and are counted. */
async function withCounted(test: (app: TestApp, counts: Counts) => Promise<void>): Promise<void> {
  const { connection } = await openSchema({ isPatient: true });
  const counts = { shared: 0, transactions: 0 };
  const share = createSharedTransactions(connection, { time: Infinity });
  const shareTransaction: Store["shareTransaction"] = async (workspace, works) => {
    const outcomes = await share(workspace, works);
    counts.transactions++;
    counts.shared += outcomes?.length ?? 0;
    return outcomes;
  };
  const store = { ...createPostgresStore(connection), shareTransaction };
  await withApp((app) => test(app, counts), { store });
}

const atOnce = <T>(work: (writer: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: WRITERS }, (_, writer) => work(writer)));

Deno.test("rows that are inserted at the same time share transactions, and each is whole", () =>
  withCounted(async (app, counts) => {
    const { id } = await newDatabase(app, { No: { unique_id: {} } });
    const rows = await atOnce((writer) => newRow(app, id, { Name: titled(`row ${writer}`) }));
    assert(counts.shared >= WRITERS / 2, `${counts.shared} writes shared transactions`);
    assert(counts.transactions < counts.shared / 2, `${counts.transactions} transactions`);
    const numbers = rows.map((row) => Object(valuesOf(row).No).number);
    assertEquals(numbers.toSorted((a, b) => a - b), numbers.map((_, index) => index + 1));
    const named = rows.map((_, writer) => `row ${writer}`);
    assertEquals((await query(app, id)).toSorted(), named.toSorted());
    for (const row of rows) {
      assertEquals(await succeed(app, `GET /v2/pages/${row.id}`), row, "as it was answered");
    }
    const { results } = await succeed(app, "POST /v2/search", {
      body: { query: "row", page_size: 100 },
    });
    assertEquals(results.length, WRITERS, "all are found by their words");
  }));

Deno.test("writes of one key at the same time are one write, and those that are refused are none", () =>
  withCounted(async (app) => {
    const { id } = await newDatabase(app);
    const row = await newRow(app, id, { Name: titled("first") });
    const { headers } = await app.call(`GET /v2/pages/${row.id}`);
    const etag = headers.get("etag") ?? "";
    const answers = await atOnce((writer) =>
      writer % 2 === 0
        ? app.call("POST /v2/pages", {
          body: { parent: { database_id: id }, properties: { Name: titled("keyed") } },
          headers: { "idempotency-key": '"one"' },
        })
        : app.call(`PATCH /v2/pages/${row.id}`, {
          body: { properties: { Name: titled(`edit ${writer}`) } },
          headers: { "if-match": etag },
        })
    );
    const statuses = Map.groupBy(answers, ({ status }) => status);
    assertEquals(statuses.get(200)?.length, WRITERS / 2 + 1, "all of one key, and one edit");
    assertEquals(statuses.get(412)?.length, WRITERS / 2 - 1);
    const keyed = answers.filter((_, writer) => writer % 2 === 0);
    assertEquals(new Set(keyed.map(({ text }) => text)).size, 1);
    assertEquals((await query(app, id)).length, 2);
  }));

Deno.test("a schema that changes among inserts is the one that later inserts see", () =>
  withCounted(async (app) => {
    const { id } = await newDatabase(app, { Amount: { number: {} } });
    const answers = await atOnce((writer) =>
      writer === WRITERS / 2
        ? app.call(`PATCH /v2/databases/${id}`, {
          body: { properties: { Amount: { name: "Sum" } } },
        })
        : app.call("POST /v2/pages", {
          body: { parent: { database_id: id }, properties: { Amount: { number: writer } } },
        })
    );
    const accepted = answers.filter(({ status }) => status === 200).length;
    const refused = answers.filter(({ status }) => status === 400).length;
    assertEquals(accepted + refused, WRITERS);
    assert(refused > 0, "some came later");
    assertEquals((await query(app, id)).length, accepted - 1, "the change of the schema is no row");
  }));
