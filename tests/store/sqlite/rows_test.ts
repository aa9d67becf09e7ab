import fc from "fast-check";
import type { Filter, RowCursor, RowQuery } from "../../../src/content/query/filter.ts";
import { sortKey } from "../../../src/content/schema/collation.ts";
import { LimitError } from "../../../src/content/formulas/compute_budget.ts";
import type { Pacing, Store } from "../../../src/store/port.ts";
import { openConnection } from "../../../src/store/sqlite/connection.ts";
import { migrate } from "../../../src/store/sqlite/migrations.ts";
import { createNodeReads } from "../../../src/store/reads/nodes.ts";
import { createReader } from "../../../src/store/sqlite/reader.ts";
import { createRowReader } from "../../../src/store/sqlite/rows.ts";
import { createSqliteStore } from "../../../src/store/sqlite/store.ts";
import { assert, assertEquals, assertRejects } from "../../assert.ts";
import {
  applyAll,
  rowModelContract,
  type Scenario,
  scenario,
  untouchedBy,
} from "../contract_rows_model.ts";
import { done, W } from "../contract_support.ts";
import { textBlockContract } from "../contract_text_blocks.ts";
import { fillRows, ROW_QUERIES, ROWS } from "../row_queries.ts";
import {
  cellsOf,
  D,
  database,
  keyCell,
  numberCell,
  placesOf,
  type RowModel,
  rowNode,
  rowQuery,
  textCell,
} from "../row_samples.ts";
import { insert, LATER } from "../samples.ts";

interface Impatience {
  readonly few?: number;
  /** Looks of each statement; each is a slice of its own. */
  readonly checks?: number;
}

/** A store that treats even small databases as large, so that small tests take every plan. */
function openImpatient(
  { few, checks }: Impatience,
  pause: () => Promise<void> = () => Promise.resolve(),
): Store {
  const connection = openConnection(":memory:");
  migrate(connection);
  const { source, steps } = createReader(connection.db);
  const { firstNodes } = createNodeReads(source);
  const { rows, listRows } = createRowReader(connection, {
    firstNodes: (workspace, ids) => steps(firstNodes(workspace, ids)),
    slice: 0,
    ...(few !== undefined && { few }),
    ...(checks !== undefined && { checks }),
  });
  const paused: Pacing = { pause, budget: { left: Infinity } };
  return {
    ...createSqliteStore(connection),
    rows: (workspace, query, pacing = paused) => rows(workspace, query, pacing),
    listRows,
  };
}

rowModelContract(
  "SQLite with a first scan of 1 row",
  () => Promise.resolve(openImpatient({ few: 1 })),
);

for (const parts of [{ few: 1 }, { few: 3, checks: 1 }, { few: 2, checks: 100 }]) {
  textBlockContract(
    `SQLite with ${JSON.stringify(parts)}`,
    () => Promise.resolve(openImpatient(parts)),
  );
}

for (const checks of [1, 20]) {
  rowModelContract(
    `SQLite with ${checks} checks per statement`,
    () => Promise.resolve(openImpatient({ few: 3, checks })),
  );
}

Deno.test("SQLite: whatever is written between two slices, rows that stay are found once, in order", async () => {
  const property = fc.asyncProperty(
    scenario,
    fc.record({ checks: fc.integer({ min: 1, max: 40 }), every: fc.integer({ min: 1, max: 12 }) }),
    playInSlices,
  );
  await fc.assert(property, { numRuns: 300 });
});

interface Slices {
  readonly checks: number;
  /** After so many pauses there is a write. */
  readonly every: number;
}

/** Reads page by page, and writes in the pauses of each page. */
async function playInSlices(
  { before, query, between }: Scenario,
  { checks, every }: Slices,
): Promise<void> {
  let model: RowModel = { rows: new Map(), links: [] };
  let drafts: Scenario["before"] = [];
  let pauses = 0;
  const store = openImpatient({ few: 2, checks }, async () => {
    if (++pauses % every !== 0) return;
    const due = drafts.slice(0, 1);
    drafts = drafts.slice(1);
    model = await applyAll(store, model, due);
  });
  try {
    await done(store, insert(database()));
    model = await applyAll(store, model, before);
    const isUntouched = untouchedBy(between.flat(), model);
    const expected = placesOf(model, { ...query, databaseId: D, limit: Infinity })
      .map(({ id }) => id).filter(isUntouched);
    const seen: string[] = [];
    let after: RowCursor | undefined;
    for (let at = 0;; at++) {
      drafts = between[at] ?? [];
      const asked: RowQuery = { ...query, databaseId: D, ...(after && { after }) };
      const found = (await store.rows(W, asked)).map(({ cursor: place }) => place);
      const ids = found.map(({ id }) => id);
      assertEquals(new Set(ids).size, ids.length, "no row is twice on a page");
      seen.push(...ids);
      after = found.at(-1);
      if (after === undefined) break;
    }
    assertEquals(seen.filter(isUntouched), expected);
  } finally {
    await store.close();
  }
}

Deno.test("SQLite: a row that moves ahead of a query, again and again, is found once", async () => {
  let version = 0;
  const move = async (store: Store) => {
    const cells = cellsOf("a", numberCell(1_000 + version));
    const content = { title: "Moved", doc: "{}", hasMentions: false, cells };
    await done(store, [{ op: "update", id: "row 0", version, edit: LATER, ...content }]);
    version++;
  };
  let pauses = 0;
  const store: Store = openImpatient({ few: 1, checks: 1 }, async () => {
    // It is found before it moves.
    if (version > 0 && ++pauses > 12 && version < 200) await move(store);
  });
  try {
    const rows = Array.from({ length: 20 }, (_, number) => ({
      op: "insert" as const,
      node: rowNode(`row ${number}`),
      cells: cellsOf("a", numberCell(number)),
    }));
    await done(store, [...insert(database()), ...rows]);
    version = 1;
    const by = { field: { kind: "cells", propertyId: "a" }, descending: false } as const;
    const found = await store.rows(W, rowQuery({ sorts: [by], limit: 50 }));
    const ids = found.map(({ cursor: place }) => place.id);
    assertEquals(ids.toSorted(), rows.map(({ node }) => node.id).toSorted());
    assert(version > 5, `${version} versions`);
  } finally {
    await store.close();
  }
});

Deno.test("SQLite: a row that moves ahead of a query takes no place of another on the page", async () => {
  const by = { field: { kind: "cells", propertyId: "a" }, descending: false } as const;
  for (let at = 1; at < 12; at++) {
    let pauses = 0;
    const store: Store = openImpatient({ few: 1 }, async () => {
      if (++pauses !== at) return;
      const content = { title: "Moved", doc: "{}", hasMentions: false };
      const cells = cellsOf("a", numberCell(5));
      await done(store, [{
        op: "update",
        id: "row 0",
        version: 1,
        edit: LATER,
        ...content,
        cells,
      }]);
    });
    try {
      const rows = Array.from({ length: 4 }, (_, number) => ({
        op: "insert" as const,
        node: rowNode(`row ${number}`),
        cells: cellsOf("a", numberCell(10 * number)),
      }));
      await done(store, [...insert(database()), ...rows]);
      const found = await store.rows(W, rowQuery({ sorts: [by], limit: 2 }));
      assertEquals(found.map(({ cursor: { id } }) => id), ["row 0", "row 1"]);
    } finally {
      await store.close();
    }
  }
});

Deno.test("SQLite: a row that moves behind the page while it is read hides no other", async () => {
  const by = { field: { kind: "cells", propertyId: "a" }, descending: false } as const;
  const isKept: Filter = {
    op: "test",
    field: { kind: "cells", propertyId: "b" },
    test: { is: "key", key: "kept" },
  };
  const rows = Array.from({ length: 200 }, (_, number) => ({
    op: "insert" as const,
    node: rowNode(`row ${number}`),
    cells: [
      ...cellsOf("a", numberCell(number)),
      ...cellsOf("b", keyCell(number % 20 === 0 ? "kept" : "other")),
    ],
  }));
  const moved = [...cellsOf("a", numberCell(1_000)), ...cellsOf("b", keyCell("kept"))];
  for (let at = 1; at < 30; at++) {
    let pauses = 0;
    const store: Store = openImpatient({ few: 1, checks: 100 }, async () => {
      if (++pauses !== at) return;
      const content = { title: "Moved", doc: "{}", hasMentions: false, cells: moved };
      await done(store, [{ op: "update", id: "row 80", version: 1, edit: LATER, ...content }]);
    });
    try {
      await done(store, [...insert(database()), ...rows]);
      const query = { filter: isKept, sorts: [by], limit: 5 };
      const page = await store.rows(W, rowQuery(query));
      const after = page.at(-1)?.cursor;
      assert(after);
      const rest = await store.rows(W, rowQuery({ ...query, after, limit: 20 }));
      const ids = new Set([...page, ...rest].map(({ cursor: { id } }) => id));
      const kept = rows.flatMap(({ node: { id } }, number) => number % 20 === 0 ? [id] : []);
      assertEquals(kept.filter((id) => !ids.has(id)), [], `moved in pause ${at}`);
    } finally {
      await store.close();
    }
  }
});

Deno.test("SQLite: the more rows a query has to look at, the more often others have their turn", async () => {
  const checks = 300;
  let pauses = 0;
  const store = openImpatient({ checks }, () => {
    pauses++;
    return Promise.resolve();
  });
  try {
    await fillRows(store);
    const query = rowQuery({
      ...ROW_QUERIES["newest first"],
      filter: {
        op: "test",
        field: { kind: "cells", propertyId: "title" },
        test: { is: "text", how: "contains", text: "no such row", key: "" },
      },
    });
    assertEquals(await store.rows(W, query), []);
    // A row is looked at for itself, its condition and its place in the order.
    assert(pauses >= 3 * ROWS / checks, `${pauses} pauses`);
    pauses = 0;
    await store.rows(W, rowQuery({ limit: 10 }));
    assert(pauses <= 10, `${pauses} pauses for rows that are found at once`);
  } finally {
    await store.close();
  }
});

Deno.test("SQLite: a statement reads few rows of a property with long texts", async () => {
  let pauses = 0;
  const store = openImpatient({ checks: 1_000_000_000 }, () => {
    pauses++;
    return Promise.resolve();
  });
  try {
    const long = textCell("lorem ".repeat(35_000));
    const rows = Array.from({ length: 400 }, (_, number) => ({
      op: "insert" as const,
      node: rowNode(`row ${number}`),
      // The long ones are not the first that a statement meets.
      cells: [
        ...cellsOf("body", number < 300 || number >= 340 ? textCell("short") : long),
        ...cellsOf("title", textCell("short")),
      ],
    }));
    await done(store, [...insert(database()), ...rows]);
    const pausesOf = async (propertyId: string) => {
      pauses = 0;
      const filter: Filter = {
        op: "test",
        field: { kind: "cells", propertyId },
        test: { is: "text", how: "contains", text: "no such row", key: "" },
      };
      assertEquals(await store.rows(W, rowQuery({ filter })), []);
      return pauses;
    };
    const [ofLong, ofShort] = [await pausesOf("body"), await pausesOf("title")];
    assert(ofLong >= ofShort + 400 / 20, `${ofLong} and ${ofShort} pauses`);
  } finally {
    await store.close();
  }
});

Deno.test("SQLite: a query ends when its budget of checks is used up", async () => {
  const store = openImpatient({});
  try {
    await fillRows(store);
    const pause = () => Promise.resolve();
    const query = rowQuery({ ...ROW_QUERIES["a negation, by a number"], limit: ROWS });
    const work = { left: 100 * ROWS };
    await store.rows(W, query, { pause, budget: work });
    const taken = 100 * ROWS - work.left;
    assert(taken >= 3 * ROWS, `${taken} checks`);
    await assertRejects(
      // Half, because where its slices end depends on the clock.
      () => store.rows(W, query, { pause, budget: { left: Math.floor(taken / 2) } }),
      LimitError,
    );
  } finally {
    await store.close();
  }
});

for (const descending of [true, false]) {
  Deno.test(
    `SQLite: a text that few rows have is looked for in blocks, ${
      descending ? "newest" : "oldest"
    } rows first`,
    async () => {
      const rows = 8_000;
      const store = openImpatient({});
      try {
        await done(store, insert(database()));
        for (let first = 0; first < rows; first += 1_000) {
          await done(
            store,
            Array.from({ length: 1_000 }, (_, index) => {
              const id = `r${String(first + index).padStart(5, "0")}`;
              const text = (first + index) % 4_000 === 1_000 ? "gull" : "tern";
              const node = rowNode(id, { createdTime: first + index });
              return { op: "insert", node, cells: cellsOf("a", textCell(text)) };
            }),
          );
        }
        const column = { workspace: W, databaseId: D, propertyId: "a", hasTexts: true };
        while (await store.sealTexts(column) > 0);
        const test = { is: "text", how: "contains", text: "gull", key: sortKey("gull") } as const;
        const query = rowQuery({
          filter: { op: "test", field: { kind: "cells", propertyId: "a" }, test },
          sorts: [{ field: { kind: "row", member: "createdTime" }, descending }],
        });
        const budget = { left: 1_000_000 };
        const found = await store.rows(W, query, { pause: () => Promise.resolve(), budget });
        const ids = ["r01000", "r05000"];
        assertEquals(found.map(({ cursor: { id } }) => id), descending ? ids.toReversed() : ids);
        const checks = 1_000_000 - budget.left;
        assert(checks < rows, `${checks} checks`);
      } finally {
        await store.close();
      }
    },
  );
}
