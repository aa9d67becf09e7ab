import { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { readPhrases } from "../../../src/search/text/query.ts";
import { AppError } from "../../../src/shared/errors.ts";
import type { CommitOutcome, EarlyStore, Store } from "../../../src/store/port.ts";
import { createCommitGroup, type GroupLimits } from "../../../src/store/sqlite/commit_group.ts";
import { openSqliteStore } from "../../../src/store/sqlite/store.ts";
import { assert, assertEquals, assertRejects } from "../../assert.ts";
import { createModel, type TreeChange } from "../model.ts";
import { assertSame, commit, type DraftCommit, toChanges } from "../model_contract.ts";
import type { Change } from "../../../src/content/schema/node.ts";
import { insert, page, receipt, trash, update } from "../samples.ts";
import { runOn, withFile } from "./files.ts";

/** A store whose transactions can be made to fail at their end, as on a full disk. */
interface FragileStore {
  readonly path: string;
  readonly store: Store;
  readonly early: EarlyStore;
  /** Transactions of this thread that ended well. */
  readonly synced: () => number;
  /** Lets the next transaction fail, or not. */
  failNext(fails?: boolean): void;
}

/** However slow the machine is. */
const LIMITS: GroupLimits = { writes: 64, time: Infinity, wait: 0 };

function openFragile(path: string): FragileStore {
  let synced = 0;
  let fails = false;
  const store = openSqliteStore(path, {
    deferred: {
      beforeCommit() {
        if (fails) {
          fails = false;
          throw Object.assign(new Error("database or disk is full"), { errcode: 13 });
        }
        synced++;
      },
      discard: () => {},
    },
    limits: LIMITS,
  });
  const { early } = store;
  if (early === undefined) throw new Error("Commits to a file share transactions");
  const failNext = (next = true): void => void (fails = next);
  return { path, store, early, synced: () => synced, failNext };
}

function withFragile(work: (fragile: FragileStore) => Promise<void>): Promise<void> {
  return withFile(async (path) => {
    const fragile = openFragile(path);
    try {
      await work(fragile);
    } finally {
      await fragile.store.close();
    }
  });
}

function apply({ early }: FragileStore, changes: ReturnType<typeof insert>, since?: number) {
  return early.apply("w", changes, {
    receipt: undefined,
    since: since ?? early.state.undone(),
  });
}

async function assertFull(work: Promise<unknown> | undefined): Promise<void> {
  const error = await assertRejects(() => Promise.resolve(work), AppError);
  assertEquals(error.code, "storage_full");
}

Deno.test("commits that arrive together are one transaction, and each gets its own outcome", () =>
  withFragile(async ({ store, synced }) => {
    const before = synced();
    const outcomes = await Promise.all([
      store.commit("w", insert(page("a", { position: "a1" }))),
      store.commit("w", insert(page("a", { position: "a1" }))),
      store.commit("other", insert(page("a"))),
      store.commit("w", insert(page("b", { position: "a2" }))),
    ]);
    assertEquals(outcomes, ["committed", "conflict", "committed", "committed"]);
    assertEquals(synced() - before, 1);
  }));

Deno.test("no more commits join a transaction than it takes, and those behind go into the next", () =>
  withFragile(async ({ store, synced }) => {
    const ids = Array.from({ length: 200 }, (_, index) => `p${index}`);
    const one = (id: string, at: number) =>
      store.commit("w", insert(page(id, { position: `a${String(at).padStart(3, "0")}V` })));
    const outcomes = new Set(await Promise.all(ids.map(one)));
    assertEquals([...outcomes], ["committed"]);
    assert(synced() >= 4 && synced() < 200, `${synced()} transactions`);
    assertEquals((await store.firstNodes("w", ids)).length, ids.length);
  }));

/** A group on no database, and the number of writes of each of its transactions. */
function createCountedGroup(wait: number) {
  const counts: number[] = [];
  let writes = 0;
  const commit = (): void => {
    counts.push(writes);
    writes = 0;
  };
  const group = createCommitGroup(
    { begin: () => ({ isOpen: () => true, commit }) },
    { guard: (work) => work(), onCommit() {}, limits: { ...LIMITS, wait } },
  );
  return { counts, state: group.state, add: () => group.add(() => writes++).durable };
}

Deno.test("a transaction waits for as many commits as the last one had", async () => {
  const { counts, add } = createCountedGroup(1_000_000);
  await Promise.all([add(), add()]);
  const first = add();
  for (let turn = 0; turn < 10; turn++) await setImmediate();
  await Promise.all([first, add()]);
  assertEquals(counts, [2, 2]);
});

Deno.test("a transaction that a reader waits for does not wait for commits", async () => {
  const { counts, state, add } = createCountedGroup(1_000_000);
  for (const isLate of [false, true]) {
    await Promise.all([add(), add()]);
    const own = add();
    for (let turn = 0; isLate && turn < 10; turn++) await setImmediate();
    await state.pending();
    await own;
  }
  assertEquals(counts, [2, 1, 2, 1]);
});

Deno.test("a transaction ends after a while without them, and the next one does not wait", async () => {
  const { counts, add } = createCountedGroup(0);
  await Promise.all([add(), add()]);
  await add();
  const next = add();
  for (let turn = 0; turn < 10; turn++) await setImmediate();
  assertEquals(counts, [2, 1, 1]);
  await next;
});

Deno.test("what is applied is visible at once to early reads, and to others when it is on the disk", () =>
  withFragile(async (fragile) => {
    const { store, early, synced } = fragile;
    const { outcome, durable } = await apply(fragile, insert(page("a")));
    assertEquals([outcome, synced()], ["committed", 0]);
    assertEquals((await early.reading.node?.("w", "a"))?.id, "a");
    assertEquals((await store.node("w", "a"))?.id, "a");
    assertEquals(synced(), 1);
    await durable;
  }));

Deno.test("a transaction that fails undoes and refuses all of its commits, and the next one works", () =>
  withFragile(async (fragile) => {
    const { store, early, failNext } = fragile;
    await store.commit("w", insert(page("kept")));
    let undone = 0;
    early.onUndone(() => undone++);
    failNext();
    const applied = await Promise.all([
      apply(fragile, insert(page("a", { position: "a1" }))),
      apply(fragile, [update("kept", 1)]),
    ]);
    assertEquals(applied.map(({ outcome }) => outcome), ["committed", "committed"]);
    // It reads while the change is visible, and answers with what is left.
    const read = store.versions("w", ["kept"]);
    for (const { durable } of applied) await assertFull(durable);
    assertEquals([(await read).get("kept"), undone, early.state.undone()], [1, 1, 1]);
    assertEquals(await store.node("w", "a"), undefined);
    assertEquals(await store.commit("w", insert(page("a", { position: "a1" }))), "committed");
  }));

/** Changes that insert a row at a position of the database `d`, with one cell. */
function rowAt(id: string, position: string, { version = 1, key = "" } = {}): Change[] {
  const parent = { parentKind: "database", parentId: "d", containerId: "d" } as const;
  const cell = { propertyId: "p", ordinal: 0, number: null, key, text: null };
  return [
    { op: "expect", id: "d", version },
    { op: "insert", node: page(id, { ...parent, position }), cells: [cell] },
  ];
}

const DATABASE = page("d", { kind: "database", type: "child_database", doc: '{"properties":[]}' });

Deno.test("a row that conflicts leaves the others of its transaction as they are", () =>
  withFragile(async ({ store, synced }) => {
    await store.commit("w", insert(DATABASE));
    const before = synced();
    const outcomes = await Promise.all([
      store.commit("w", rowAt("a", "a1"), receipt("key")),
      store.commit("w", rowAt("b", "a1")),
      store.commit("w", rowAt("a", "a2")),
      store.commit("w", rowAt("c", "a2", { version: 2 })),
      store.commit("w", rowAt("e", "a2"), receipt("key")),
      store.commit("w", rowAt("f", "a2")),
    ]);
    const conflicts = ["conflict", "conflict", "conflict", "conflict"];
    assertEquals(outcomes, ["committed", ...conflicts, "committed"]);
    assertEquals(synced() - before, 1);
    const found = await store.firstNodes("w", ["a", "b", "c", "e", "f"]);
    assertEquals(found.map(({ id }) => id).sort(), ["a", "f"]);
  }));

Deno.test("a row that fails half way undoes and refuses all of its transaction", () =>
  withFragile(async ({ store, early, path }) => {
    await store.commit("w", insert(DATABASE));
    runOn(
      path,
      `CREATE TRIGGER broken BEFORE INSERT ON cells WHEN new.key = 'broken' BEGIN
        SELECT raise(ABORT, 'broken cell');
      END`,
    );
    const settled = await Promise.allSettled([
      store.commit("w", rowAt("a", "a1")),
      store.commit("w", rowAt("b", "a2", { key: "broken" })),
    ]);
    assertEquals(settled.map(({ status }) => status), ["rejected", "rejected"]);
    assertEquals([await store.firstNodes("w", ["a", "b"]), early.state.undone()], [[], 1]);
    assertEquals(await store.commit("w", rowAt("a", "a1")), "committed");
  }));

Deno.test("a decision on what was undone meanwhile is a conflict", () =>
  withFragile(async (fragile) => {
    const { early, failNext } = fragile;
    const since = early.state.undone();
    failNext();
    const { durable } = await apply(fragile, insert(page("a")));
    await assertFull(durable);
    assertEquals((await apply(fragile, insert(page("b")), since)).outcome, "conflict");
    assertEquals((await apply(fragile, insert(page("b")))).outcome, "committed");
  }));

Deno.test("a page that goes to the trash in the transaction that made it is not found", () =>
  withFragile(async ({ store, synced }) => {
    const before = synced();
    await Promise.all([
      store.commit("w", insert(page("a", { title: "Lighthouse" }))),
      store.commit("w", [trash("a")]),
    ]);
    assertEquals(synced() - before, 1);
    const query = { phrases: readPhrases("lighthouse"), match: "all", limit: 10 } as const;
    const { matches } = await store.findWords("w", { ...query, scope: {} });
    assertEquals(matches, []);
  }));

/** Commits that are made in one turn, and whether their transaction fails. */
interface DraftTurn {
  readonly commits: readonly DraftCommit[];
  readonly fails: boolean;
}

const turns: fc.Arbitrary<DraftTurn[]> = fc.array(
  fc.record({
    commits: fc.array(commit, { minLength: 1, maxLength: 8 }),
    fails: fc.constantFrom(false, false, false, true),
  }),
  { minLength: 2, maxLength: 8 },
);

interface Acknowledged {
  readonly workspace: string;
  readonly changes: readonly TreeChange[];
  readonly outcome: CommitOutcome;
}

/** Makes all commits of a turn, and returns those that were not refused. */
async function makeTurn(
  { store, failNext }: FragileStore,
  { commits, fails }: DraftTurn,
  earlier: readonly Acknowledged[],
): Promise<Acknowledged[]> {
  const model = createModel();
  for (const { workspace, changes } of earlier) model.commit(workspace, changes);
  failNext(fails);
  const made = commits.map((draft) => {
    const { workspace } = draft;
    const changes = toChanges(model, draft);
    model.commit(workspace, changes);
    return store.commit(workspace, changes).then(
      (outcome): Acknowledged[] => [{ workspace, changes, outcome }],
      (error) => {
        assertEquals([error.code, fails], ["storage_full", true]);
        return [];
      },
    );
  });
  return (await Promise.all(made)).flat();
}

/** All that a file holds of content and words, in an order of its own. */
function contentOf(path: string): unknown {
  using db = new DatabaseSync(path);
  db.exec("CREATE VIRTUAL TABLE temp.terms USING fts5vocab(main, search_words, row)");
  return [
    "SELECT * FROM nodes ORDER BY workspace_id, id",
    `SELECT workspace_id, page_id, title, body, length FROM search_parts
    ORDER BY workspace_id, page_id, body`,
    "SELECT workspace_id, parts, length FROM search_workspaces ORDER BY workspace_id",
    "SELECT workspace_id, page_id FROM search_due ORDER BY workspace_id, page_id",
    "SELECT count(*) FROM temp.terms",
  ].map((sql) => db.prepare(sql).all());
}

Deno.test("any interleaving of commits and failures is what is left of it one by one", async () => {
  const property = fc.asyncProperty(turns, (drawn) =>
    withFile(async (path) => {
      const fragile = openFragile(path);
      const all: Acknowledged[] = [];
      for (const turn of drawn) all.push(...await makeTurn(fragile, turn, all));
      const alone = openSqliteStore(`${path}-alone`);
      const model = createModel();
      for (const { workspace, changes, outcome } of all) {
        assertEquals(model.commit(workspace, changes), outcome);
        assertEquals(await alone.commit(workspace, changes), outcome);
      }
      fragile.failNext(false);
      await assertSame(fragile.store, model);
      await Promise.all([fragile.store.close(), alone.close()]);
      assertEquals(contentOf(path), contentOf(`${path}-alone`));
    }));
  await fc.assert(property, { numRuns: 20 });
});
