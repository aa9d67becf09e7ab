import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type { Store } from "../../../src/store/port.ts";
import { openConnection } from "../../../src/store/sqlite/connection.ts";
import { migrate } from "../../../src/store/sqlite/migrations.ts";
import { createSqliteStore } from "../../../src/store/sqlite/store.ts";
import { assert, assertEquals } from "../../assert.ts";
import { done, W } from "../contract_support.ts";
import { assertPaged, fillRows, ROW_QUERIES } from "../row_queries.ts";
import { rowQuery } from "../row_samples.ts";
import { insert, page } from "../samples.ts";

/** The most rows of 8,000 that a query of the list may look at. */
const MOST = 1_500;

/** The places at which a statement meets a row: a walk's step, or a candidate. */
const MEETINGS: readonly (readonly [string, string])[] = [
  ["ON d.ordinal = 0", "ON seen(d.ordinal) = 0"],
  ["n.id = c.id", "n.id = seen(c.id)"],
  ["AND +n.trash_root IS NULL AND", "AND seen(n.trash_root) IS NULL AND"],
];

interface Watched {
  readonly store: Store;
  readonly db: DatabaseSync;
  /** Every statement prepared since it was emptied, as it was written. */
  readonly statements: string[];
  /** Rows met since it was last asked. */
  met(): number;
  /** Every statement run since it was emptied. */
  readonly runs: string[];
}

/** A large database whose statements tell what they do. */
async function withRows(work: (watched: Watched) => Promise<void>): Promise<void> {
  const connection = openConnection(":memory:");
  migrate(connection);
  const { db } = connection;
  const statements: string[] = [];
  const runs: string[] = [];
  let count = 0;
  db.function("seen", {}, (value) => {
    count++;
    return value;
  });
  const prepare = db.prepare.bind(db);
  db.prepare = (sql) => {
    statements.push(sql);
    const statement = prepare(MEETINGS.reduce((text, [from, to]) => text.replace(from, to), sql));
    const all = statement.all.bind(statement);
    return Object.assign(statement, {
      all: (...values: SQLInputValue[]) => {
        runs.push(sql);
        return all(...values);
      },
    });
  };
  const store = createSqliteStore(connection);
  const met = () => {
    const before = count;
    count = 0;
    return before;
  };
  try {
    await fillRows(store);
    statements.length = 0;
    await work({ store, db, statements, met, runs });
  } finally {
    await store.close();
  }
}

Deno.test("rows() reads few of many rows, whatever the filter and the sorts", async () => {
  await withRows(async ({ store, met }) => {
    const looked = [];
    for (const [name, query] of Object.entries(ROW_QUERIES)) {
      const found = await store.rows(W, rowQuery({ limit: 20, ...query }));
      const count = met();
      assert(count >= found.length, `${name} is counted`);
      assert(found.length > 0, `${name} finds rows`);
      if (count > MOST) looked.push(`${name}: ${count}`);
    }
    assertEquals(looked, []);
  });
});

Deno.test("rows() looks at a part of the candidates if an index has all rows in order", async () => {
  await withRows(async ({ store, met }) => {
    const query = ROW_QUERIES["one in twenty, by another number"];
    await store.rows(W, rowQuery({ limit: 20, ...query }));
    // The first scan, and few more than the page: there are 400 candidates.
    const count = met();
    assert(count < 350, `${count} rows`);
  });
});

Deno.test("rows() reads no table from end to end, and sorts none", async () => {
  await withRows(async ({ store, db, statements }) => {
    for (const query of Object.values(ROW_QUERIES)) {
      await store.rows(W, rowQuery({ limit: 20, ...query }));
    }
    assert(new Set(statements).size > 20);
    for (const sql of new Set(statements)) {
      const plan = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all().map(({ detail }) =>
        String(detail)
      );
      // What a statement makes itself, as long as its input or its candidates.
      const isOwn = (step: string) =>
        /^SCAN (?:c|e|wanted|json_each VIRTUAL TABLE INDEX 1:|\(subquery-\d+\))(?: |$)/.test(step);
      assertEquals(plan.filter((step) => step.startsWith("SCAN") && !isOwn(step)), [], sql);
      // The links of one row are few, and their order is in no index.
      const isOfLinks = sql.includes("ORDER BY s.ordinal");
      const sorted = plan.filter((step) => step.includes("TEMP B-TREE"))
        .slice(Number(isOfLinks));
      assertEquals(sorted.filter((step) => !step.endsWith("FOR DISTINCT")), [], sql);
    }
  });
});

Deno.test("rows() counts candidates again once something was written", async () => {
  await withRows(async ({ store, runs }) => {
    const counts = async () => {
      runs.length = 0;
      await store.rows(W, rowQuery({ limit: 20, ...ROW_QUERIES["by a number"] }));
      return runs.filter((sql) => sql.includes("count(*)")).length;
    };
    const first = await counts();
    assert(first > 0);
    assertEquals(await counts(), 0);
    await done(store, insert(page("p")));
    assertEquals(await counts(), first);
  });
});

Deno.test("rows() finds the same with or without a look at every row", async () => {
  await withRows(({ store }) => assertPaged(store));
});
