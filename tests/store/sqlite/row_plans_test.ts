import type { DatabaseSync } from "node:sqlite";
import type { Change } from "../../../src/content/node.ts";
import type { Field, Filter, RowQuery, Sort, Test } from "../../../src/content/query/filter.ts";
import type { Store } from "../../../src/store/port.ts";
import { openConnection } from "../../../src/store/sqlite/connection.ts";
import { migrate } from "../../../src/store/sqlite/migrations.ts";
import { createSqliteStore } from "../../../src/store/sqlite/store.ts";
import { assert, assertEquals } from "../../assert.ts";
import {
  cellsOf,
  database,
  keyCell,
  numberCell,
  rowNode,
  rowQuery,
  textCell,
} from "../row_samples.ts";
import { insert, trash } from "../samples.ts";

const W = "workspace";
const STAGES = ["s0", "s1", "s2", "s3", "s4"];
const ROWS = 8_000;
/** Of 8,000 rows the most that a query of the list below may look at. */
const MOST = 1_500;

/** Where a statement meets a row: a walk's step, or a candidate. */
const MEETINGS: readonly (readonly [string, string])[] = [
  ["ON d.ordinal = 0", "ON seen(d.ordinal) = 0"],
  ["n.id = c.id", "n.id = seen(c.id)"],
  ["AND +n.trash_root IS NULL AND", "AND seen(n.trash_root) IS NULL AND"],
];

function field(propertyId: string): Field {
  return { kind: "cells", propertyId };
}

function by(propertyId: string, members: Partial<Sort> = {}): Sort {
  return { field: field(propertyId), descending: false, single: true, ...members };
}

function where(propertyId: string, test: Test): Filter {
  return { op: "test", field: field(propertyId), test };
}

function between(propertyId: string, from: number, to: number): Filter {
  return where(propertyId, { is: "between", from, to });
}

const NEWEST: Sort = { field: { kind: "row", member: "createdTime" }, descending: true };
const BY_STAGE = by("stage", { values: STAGES.map(keyCell) });
const STAGE: Filter = where("stage", { is: "key", key: "s3" });
const TITLE: Filter = where("title", { is: "text", how: "starts", text: "row 77", key: "" });

/** Each way to find rows. */
const QUERIES: Readonly<Record<string, Partial<RowQuery>>> = {
  "newest first": {},
  "by a number": { sorts: [by("amount")] },
  "by a number, descending, from the middle": {
    sorts: [by("amount", { descending: true })],
    after: { keys: [ROWS / 2], id: "row" },
  },
  "by options, then by a number": { sorts: [BY_STAGE, by("amount")] },
  "by options alone, from the middle of one": {
    sorts: [BY_STAGE],
    after: { keys: ["s2"], id: "row 4" },
  },
  "by a number that many rows share, then by time": { sorts: [by("rating"), NEWEST] },
  "by a number that many rows share": {
    sorts: [by("rating", { descending: true })],
    after: { keys: [2], id: "row 4" },
  },
  "one option, by a number": { filter: STAGE, sorts: [by("amount", { descending: true })] },
  "one option, by options": { filter: STAGE, sorts: [BY_STAGE, by("amount")] },
  "a few numbers, newest first": { filter: between("amount", 100, 150) },
  "the lower half, from its upper end": {
    filter: between("amount", 0, ROWS / 2),
    sorts: [by("amount", { descending: true })],
  },
  "one of two ranges": {
    filter: { op: "or", filters: [between("amount", 100, 120), between("amount", 900, 920)] },
    sorts: [by("title")],
  },
  "all of two conditions": { filter: { op: "and", filters: [STAGE, between("amount", 100, 200)] } },
  "the beginning of a text": { filter: { op: "and", filters: [STAGE, TITLE] } },
  "a negation, by a number": { filter: { op: "not", filter: STAGE }, sorts: [by("amount")] },
  "rows without a number, by text": { filter: where("gap", { is: "empty" }), sorts: [by("title")] },
  "by a number that few rows have": { sorts: [by("gap")] },
  "by who made them": {
    filter: {
      op: "test",
      field: { kind: "row", member: "createdBy" },
      test: { is: "key", key: "zoe" },
    },
  },
  "linked rows": {
    filter: {
      op: "test",
      field: { kind: "links", relationId: "relation", side: "from" },
      test: { is: "key", key: "row 9" },
    },
    sorts: [by("amount")],
  },
  "the trash": { inTrash: true, sorts: [by("amount")] },
};

interface Watched {
  readonly store: Store;
  readonly db: DatabaseSync;
  /** Every statement prepared since it was emptied, as it was written. */
  readonly statements: string[];
  /** Rows met since it was last asked. */
  met(): number;
}

/** A large database whose statements tell what they do. */
async function withRows(work: (watched: Watched) => Promise<void>): Promise<void> {
  const connection = openConnection(":memory:");
  migrate(connection);
  const { db } = connection;
  const statements: string[] = [];
  let count = 0;
  db.function("seen", {}, (value) => {
    count++;
    return value;
  });
  const prepare = db.prepare.bind(db);
  db.prepare = (sql) => {
    statements.push(sql);
    return prepare(MEETINGS.reduce((text, [from, to]) => text.replace(from, to), sql));
  };
  const store = createSqliteStore(connection);
  const met = () => {
    const before = count;
    count = 0;
    return before;
  };
  try {
    await store.commit(W, [...insert(database()), ...Array.from({ length: ROWS }, toRow)]);
    await store.commit(W, [
      ...[1, 2, 3].map((number) => trash(`row ${number}`)),
      { op: "link", relationId: "relation", side: "from", id: "row 7", others: ["row 9"] },
    ]);
    statements.length = 0;
    await work({ store, db, statements, met });
  } finally {
    await store.close();
  }
}

function toRow(_: unknown, number: number): Change {
  const cells = [
    ...cellsOf("title", textCell(`Row ${number}`)),
    ...cellsOf("amount", numberCell((number * 7919) % ROWS)),
    ...cellsOf("rating", numberCell(number % 3)),
    ...cellsOf("stage", keyCell(`s${number % 5}`)),
    ...cellsOf(
      "gap",
      number % 100 === 0 ? numberCell(number) : { number: null, key: null, text: null },
    ),
  ];
  const createdBy = number % 1_000 === 0 ? "zoe" : "ann";
  return {
    op: "insert",
    node: rowNode(`row ${number}`, { createdTime: number, createdBy }),
    cells,
  };
}

Deno.test("rows() looks at few of many rows, whichever way they are asked for", async () => {
  await withRows(async ({ store, met }) => {
    const looked = [];
    for (const [name, query] of Object.entries(QUERIES)) {
      const found = await store.rows(W, rowQuery({ limit: 20, ...query }));
      const count = met();
      assert(count >= found.length, `${name} is counted`);
      assert(found.length > 0, `${name} finds rows`);
      if (count > MOST) looked.push(`${name}: ${count}`);
    }
    assertEquals(looked, []);
  });
});

Deno.test("rows() reads no table from end to end, and sorts none", async () => {
  await withRows(async ({ store, db, statements }) => {
    for (const query of Object.values(QUERIES)) {
      await store.rows(W, rowQuery({ limit: 20, ...query }));
    }
    assert(new Set(statements).size > 20);
    for (const sql of new Set(statements)) {
      const plan = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all().map(({ detail }) =>
        String(detail)
      );
      // What a statement makes itself, as long as its input or its candidates.
      const isOwn = (step: string) => /^SCAN (?:c|wanted|\(subquery-\d+\))(?: |$)/.test(step);
      assertEquals(plan.filter((step) => step.startsWith("SCAN") && !isOwn(step)), [], sql);
      const sorted = plan.filter((step) => step.includes("TEMP B-TREE"));
      assertEquals(sorted.filter((step) => !step.endsWith("FOR DISTINCT")), [], sql);
    }
  });
});

Deno.test("rows() finds the same with or without a look at every row", async () => {
  await withRows(async ({ store }) => {
    for (const [name, query] of Object.entries(QUERIES)) {
      const whole = await store.rows(W, rowQuery({ ...query, limit: 300 }));
      const half = await store.rows(W, rowQuery({ ...query, limit: 150 }));
      const after = half.at(-1)?.place;
      const rest = after && await store.rows(W, rowQuery({ ...query, after, limit: 150 }));
      const ids = [...half, ...rest ?? []].map(({ place }) => place.id);
      assertEquals(ids, whole.map(({ place }) => place.id), name);
    }
  });
});
