import { DatabaseSync } from "node:sqlite";
import type { Change } from "../../../src/content/schema/node.ts";
import type { Filter } from "../../../src/content/query/filter.ts";
import { AppError } from "../../../src/shared/errors.ts";
import type { Store } from "../../../src/store/port.ts";
import { openConnection } from "../../../src/store/sqlite/connection.ts";
import { createSqliteDatabase } from "../../../src/store/sqlite/database.ts";
import {
  createSlicedCommits,
  type SlicedCommits,
  unfinishedIn,
} from "../../../src/store/sqlite/sliced_commits.ts";
import { createSnapshots } from "../../../src/store/sqlite/snapshots.ts";
import { openSqliteReader, openSqliteStore } from "../../../src/store/sqlite/store.ts";
import { readPhrases } from "../../../src/search/text/query.ts";
import { assert, assertEquals, assertRejects } from "../../assert.ts";
import { richText } from "../../bench/query/data.ts";
import { eventually } from "../../support/eventually.ts";
import { cellsOf, D, database, numberCell, rowNode, rowQuery, textCell } from "../row_samples.ts";
import { insert, LATER, page, receipt } from "../samples.ts";
import { openFinished, rowsOf, runOn, withFile } from "./files.ts";
import { LONG_CHANGES, manyRows, rowIds } from "./long_changes.ts";

/** Each step is a slice, and no commit is made in one transaction. */
const STEPS = { patience: -1, time: -1 };
const ROWS = 1_000;
const IDS = rowIds(ROWS);
/** Gives the rows numbers, counts them, adds the cells of a property, and moves them to the trash. */
const CHANGES: readonly Change[] = [
  ...LONG_CHANGES.reshape,
  { op: "countAllRows", databaseId: D, from: 0 },
  { op: "writeCells", databaseId: D, propertyId: "c", cell: numberCell(7) },
  ...LONG_CHANGES.trash,
];

const HAS_CELL: Filter = {
  op: "test",
  field: { kind: "cells", propertyId: "c" },
  test: { is: "between", from: 7, to: 7 },
};

/** Everything that a file has about the workspace. */
function contentOf(path: string): string {
  return JSON.stringify([
    rowsOf(path, "SELECT * FROM nodes WHERE workspace_id = 'w' ORDER BY id"),
    rowsOf(path, "SELECT * FROM cells ORDER BY node_id, property_id, ordinal"),
    rowsOf(path, "SELECT * FROM search_parts WHERE workspace_id = 'w' ORDER BY page_id"),
    rowsOf(path, "SELECT * FROM counters"),
    rowsOf(path, "SELECT * FROM receipts"),
    rowsOf(path, "PRAGMA integrity_check"),
  ]);
}

/** Creates a file with many rows. */
async function fill(path: string): Promise<void> {
  const store = openSqliteStore(path);
  assertEquals(await store.commit("w", manyRows(ROWS)), "committed");
  await store.close();
}

/** Everything that the file has once a store has made the changes in one transaction. */
async function contentAtOnce(path: string): Promise<string> {
  const copy = `${path}.copy`;
  await Deno.copyFile(path, copy);
  const store = openSqliteStore(copy, { slices: { patience: Infinity } });
  assertEquals(await store.commit("w", CHANGES, receipt("k")), "committed");
  await store.close();
  return contentOf(copy);
}

/** Works with the slices of a connection of its own. */
async function withSlices<T>(
  path: string,
  work: (slices: SlicedCommits) => T | Promise<T>,
): Promise<T> {
  const connection = openConnection(path);
  try {
    return await work(createSlicedCommits(connection, STEPS));
  } finally {
    connection.close();
  }
}

function unfinished(path: string): string[] {
  const db = new DatabaseSync(path);
  try {
    return unfinishedIn({ db });
  } finally {
    db.close();
  }
}

/** The states of all rows, and how many have the new cell, as readers see both. */
async function stateOf(store: Pick<Store, "firstNodes" | "rows">): Promise<string> {
  const nodes = await store.firstNodes("w", IDS);
  const states = new Set(nodes.map(({ version, trashRoot }) => `${version} ${trashRoot}`));
  const inTrash = nodes[0]?.trashRoot !== null;
  const found = await store.rows("w", rowQuery({ filter: HAS_CELL, inTrash, limit: ROWS }));
  return `${[...states].join(", ")}, ${found.length} cells`;
}

const BEFORE = "1 null, 0 cells";

Deno.test("readers see all slices of a commit or none, while others write and read on", () =>
  withFile(async (path) => {
    await fill(path);
    const store = openSqliteStore(path, { slices: STEPS });
    const seen = new Set<string>();
    let outcome: string | undefined;
    let turns = 0;
    let between = 0;
    void store.commit("w", CHANGES).then((done) => outcome = done);
    while (outcome === undefined) {
      seen.add(await stateOf(store));
      assertEquals(await store.commit("other", insert(page(`p${turns}`))), "committed");
      assertEquals((await store.node("other", `p${turns++}`))?.id, `p${turns - 1}`);
      between = Math.max(between, unfinished(path).length);
    }
    assertEquals([outcome, between], ["committed", 1]);
    assert(turns > 10, `only ${turns} others`);
    const after = await stateOf(store);
    assertEquals([seen.has(BEFORE), after === BEFORE], [true, false]);
    assertEquals([...seen].filter((one) => one !== BEFORE && one !== after), []);
    await store.close();
    assertEquals(unfinished(path), []);
  }));

Deno.test("a commit leaves the same whether it is made at once, or in slices with interruptions", () =>
  withFile(async (path) => {
    await fill(path);
    const expected = await contentAtOnce(path);
    const begun = await withSlices(path, ({ begin }) => begin("w", CHANGES, receipt("k")));
    let slices = 1;
    for (let outcome = begun; outcome === "unfinished"; slices++) {
      outcome = await withSlices(path, ({ goOn }) => goOn("w"));
    }
    assert(slices > 10, `only ${slices} slices`);
    assertEquals(contentOf(path), expected);
    assertEquals(unfinished(path), []);
  }));

const TITLE = { id: "title", name: "Name", description: null, type: "title" } as const;
const NOTES = { ...TITLE, id: "notes", name: "Notes", type: "rich_text" } as const;

/** The document of a database with these properties. */
function schemaDoc(properties: readonly unknown[]): string {
  return JSON.stringify({
    ...{ title: [], description: [], icon: null, cover: null, is_inline: false },
    properties,
  });
}

Deno.test("a property whose deletion is interrupted at each slice leaves no words", () =>
  withFile(async (path) => {
    const values = { title: richText("kingfisher"), notes: richText("orange") };
    const doc = JSON.stringify({ cover: null, icon: null, values });
    const rows = IDS.map((id) => ({
      op: "insert" as const,
      node: rowNode(id, { title: "kingfisher", doc }),
      cells: cellsOf("notes", textCell("orange")),
    }));
    const found = async (query: string) => {
      const store = openSqliteStore(path);
      const phrases = readPhrases(query);
      const asked = { phrases, match: "all", scope: {}, limit: 2 * ROWS } as const;
      const { matches } = await store.findWords("w", asked);
      await store.close();
      return matches.length;
    };
    const store = openSqliteStore(path);
    const before = { ...database(), doc: schemaDoc([TITLE, NOTES]) };
    assertEquals(await store.commit("w", [...insert(before), ...rows]), "committed");
    await store.close();
    assertEquals([await found("orange"), await found("kingfisher")], [ROWS, ROWS]);
    const changes: Change[] = [
      {
        ...{ op: "update", id: D, version: 1, title: "", hasMentions: false, edit: LATER } as const,
        doc: schemaDoc([TITLE]),
      },
      { op: "deleteCells", databaseId: D, propertyId: "notes" },
    ];
    let slices = 1;
    let outcome = await withSlices(path, ({ begin }) => begin("w", changes));
    for (; outcome === "unfinished"; slices++) {
      outcome = await withSlices(path, ({ goOn }) => goOn("w"));
    }
    assert(slices > 10, `only ${slices} slices`);
    assertEquals([await found("orange"), await found("kingfisher")], [0, ROWS]);
  }));

Deno.test("a commit whose slices two processes make in turns is made once", () =>
  withFile(async (path) => {
    await fill(path);
    const expected = await contentAtOnce(path);
    await withSlices(path, (one) =>
      withSlices(path, (other) => {
        let outcome = one.begin("w", CHANGES, receipt("k"));
        for (let turn = 0; outcome === "unfinished"; turn++) {
          // Twice each, so that both also go on from where they are.
          outcome = (turn % 4 < 2 ? one : other).goOn("w");
        }
        assertEquals([one.goOn("w"), other.goOn("w")], ["committed", "committed"]);
      }));
    assertEquals(contentOf(path), expected);
  }));

Deno.test("whoever opens a file with a commit that was interrupted finishes it first", () =>
  withFile(async (path) => {
    await fill(path);
    const expected = await contentAtOnce(path);
    const interrupted = `${path}.interrupted`;
    await withSlices(path, async ({ begin, goOn }) => {
      assertEquals(begin("w", CHANGES, receipt("k")), "unfinished");
      for (let slice = 0; slice < 10; slice++) assertEquals(goOn("w"), "unfinished");
      await Deno.copyFile(path, interrupted);
      await Deno.copyFile(`${path}-wal`, `${interrupted}-wal`);
    });
    const open = {
      store: (copy: string) => openFinished(copy),
      command: (copy: string) => createSqliteDatabase({ path: copy }).openCommandStore(),
      archive: (copy: string) => createSqliteDatabase({ path: copy }).openArchive("source"),
    };
    for (const [name, opened] of Object.entries(open)) {
      const copy = `${path}.${name}`;
      await Deno.copyFile(interrupted, copy);
      await Deno.copyFile(`${interrupted}-wal`, `${copy}-wal`);
      assertEquals(unfinished(copy), ["w"]);
      await (await opened(copy)).close();
      assertEquals(contentOf(copy), expected, name);
    }
  }));

Deno.test("a commit that was interrupted is finished beside others, who neither wait nor see it", () =>
  withFile(async (path) => {
    await fill(path);
    await withSlices(path, ({ begin }) => begin("w", CHANGES));
    const store = openSqliteStore(path, { slices: STEPS });
    const seen = new Set<string>();
    let others = 0;
    for (; unfinished(path).length > 0; others++) {
      assert(others < 5_000, "the commit is finished");
      seen.add(await stateOf(store).catch(String));
      assertEquals(await store.commit("other", insert(page(`p${others}`))), "committed");
    }
    assert(others > 10, `only ${others} others`);
    const after = await eventually(() => stateOf(store));
    assertEquals(await store.commit("w", insert(page("p"))), "committed");
    const refused = [...seen].filter((one) => one !== after);
    assertEquals(refused.map((one) => one.includes("is not finished yet")), [true]);
    await store.close();
  }));

Deno.test("a workspace whose commit cannot be finished is neither read nor written, others are", () =>
  withFile(async (path) => {
    await fill(path);
    await withSlices(path, ({ begin }) => begin("w", CHANGES));
    runOn(path, "UPDATE sliced_commits SET changes = 'damaged'");
    const told: string[] = [];
    const store = openSqliteStore(path, {
      patience: 50,
      onUnfinished: (workspace, reason) => told.push(`${workspace}: ${reason}`),
    });
    await eventually(() => Promise.resolve(assertEquals(told.length, 1)));
    assert(told[0]?.startsWith("w: SyntaxError"), told[0]);
    const error = await assertRejects(() => store.node("w", D), AppError, "not finished yet");
    assertEquals(error.code, "service_unavailable");
    await assertRejects(() => store.commit("w", insert(page("p"))), AppError);
    assertEquals(await store.commit("other", insert(page("p"))), "committed");
    assertEquals((await store.node("other", "p"))?.id, "p");
    await store.close();
    const archive = createSqliteDatabase({ path }).openArchive("source");
    await assertRejects(() => archive, Error, "A change of workspace w was interrupted");
    const commands = await createSqliteDatabase({ path }).openCommandStore();
    while (await commands.deleteWorkspaceSlice("w", 1_000) > 0);
    await commands.close();
    assertEquals(unfinished(path), []);
  }));

Deno.test("a process that only reads sees a workspace as it was while it holds it", () =>
  withFile(async (path) => {
    await fill(path);
    const { store, holds } = openSqliteReader(path, () => Promise.reject(new Error("No writes")));
    await holds.hold("w");
    const writer = openSqliteStore(path, { slices: STEPS });
    await writer.commit("w", CHANGES);
    await writer.commit("other", insert(page("p")));
    assertEquals(await stateOf(store), BEFORE);
    assertEquals((await store.node("other", "p"))?.id, "p");
    await holds.release("w");
    assertEquals(await stateOf(store), await stateOf(writer));
    holds.refuse("w");
    await assertRejects(() => store.node("w", D), AppError, "not finished yet");
    await holds.release("w");
    assertEquals((await store.node("w", D))?.id, D);
    await store.close();
    await writer.close();
  }));

Deno.test("a hold waits for the reads that began before, and its end for those that it served", () =>
  withFile(async (path) => {
    await fill(path);
    const before = Promise.withResolvers<void>();
    const during = Promise.withResolvers<void>();
    const store = openSqliteStore(path);
    const tracked = (settled: Promise<void>) => ({ reading: store, settled: () => settled });
    const snapshots = createSnapshots({
      current: tracked(before.promise),
      open: () => openConnection(path),
      read: () => tracked(during.promise),
    });
    const done: string[] = [];
    const hold = snapshots.hold("w").then(() => done.push("hold"));
    await stateOf(store);
    assertEquals(done, []);
    before.resolve();
    await hold;
    const release = snapshots.release("w").then(() => done.push("release"));
    await stateOf(store);
    assertEquals(done, ["hold"]);
    during.resolve();
    await release;
    await store.close();
  }));

Deno.test("where others may serve from the same file, each commit is one transaction", () =>
  withFile(async (path) => {
    await fill(path);
    const store = openSqliteStore(path, { slices: STEPS, sharesFile: true });
    let outcome: string | undefined;
    void store.commit("w", CHANGES).then((done) => outcome = done);
    let looks = 0;
    for (; outcome === undefined; looks++) {
      assertEquals(unfinished(path), []);
      // Messages of the thread come between two turns of the loop.
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    assert(looks > 2, `only ${looks} looks`);
    assertEquals([outcome, (await stateOf(store)) === BEFORE], ["committed", false]);
    await store.close();
  }));

Deno.test("a damaged row stops no change of all rows, and stays as it is", () =>
  withFile(async (path) => {
    await fill(path);
    const broken = IDS[ROWS >> 1] ?? "";
    const docs = "SELECT id, doc FROM nodes WHERE parent_kind = 'database'";
    runOn(path, `UPDATE nodes SET doc = '{' WHERE id = '${broken}'`);
    const store = openSqliteStore(path, { slices: STEPS });
    assertEquals(await store.commit("w", LONG_CHANGES.reshape), "committed");
    const error = await assertRejects(() => store.node("w", broken), AppError);
    assertEquals(error.code, "data_corrupted");
    await store.close();
    const stayed = rowsOf(path, docs).filter(({ doc }) => !String(doc).includes('"n":'));
    assertEquals(stayed, [{ id: broken, doc: "{" }]);
  }));

Deno.test("a store that is closed between two slices leaves the commit to the next start", () =>
  withFile(async (path) => {
    await fill(path);
    const expected = await contentAtOnce(path);
    const store = openSqliteStore(path, { slices: STEPS });
    const refused = assertRejects(
      () => store.commit("w", CHANGES, receipt("k")),
      AppError,
      "Server is stopping",
    );
    for (let turns = 0; unfinished(path).length === 0; turns++) {
      assert(turns < 5_000, "the commit begins");
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    await store.close();
    await refused;
    assertEquals(unfinished(path), ["w"]);
    const told: string[] = [];
    const next = await openFinished(path, { onNotice: (notice) => told.push(notice) });
    await eventually(() => next.node("w", D));
    assertEquals(told, ["Finished a change of workspace w that was interrupted"]);
    await next.close();
    assertEquals(contentOf(path), expected);
  }));
