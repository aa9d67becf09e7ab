/**
 * The part of the store's contract that changes the tree.
 *
 * @module
 */
import type { CommitOutcome } from "../../src/store/port.ts";
import { assertEquals } from "../assert.ts";
import { done, node, refused, type StoreTest, W } from "./contract_support.ts";
import {
  block,
  FIRST,
  insert,
  LATER,
  page,
  receipt,
  restore,
  touch,
  trash,
  update,
  view,
} from "./samples.ts";

/** Registers what `commit()` does to nodes. */
export function commitContract(test: StoreTest): void {
  insertTests(test);
  updateTests(test);
  trashTests(test);
  restoreTests(test);
  largeTreeTests(test);
  touchTests(test);
  atomicityTests(test);
}

function insertTests(test: StoreTest): void {
  test("node() returns an inserted node with every member unchanged", async (store) => {
    const odd = page("p", {
      title: "Ünï \u{1F600} 'x'",
      doc: '{"a":"\\u0000"}',
      hasMentions: true,
    });
    await done(store, insert(odd));
    assertEquals(await store.node(W, "p"), view(odd));
  });

  test("node() answers undefined where there is none", async (store) => {
    assertEquals(await store.node(W, "nobody"), undefined);
    assertEquals(await store.node(W, ""), undefined);
    assertEquals(await store.node(W, "' OR 1=1 --"), undefined);
  });

  test("commit() inserts below a node of the same commit", async (store) => {
    await done(store, insert(page("p"), block("b", "p"), block("c", "b")));
    assertEquals((await node(store, "p")).hasChildren, true);
    assertEquals((await node(store, "b")).hasChildren, true);
    assertEquals((await node(store, "c")).hasChildren, false);
  });

  test("commit() refuses an insert below an unknown, later or trashed parent", async (store) => {
    await done(store, insert(page("p")));
    await done(store, [trash("p")]);
    await refused(store, insert(block("b", "nobody")));
    await refused(store, insert(block("b", "p")));
    await refused(store, insert(block("b", "")));
    await refused(store, insert(block("b", "q"), page("q")));
    assertEquals(await store.node(W, "b"), undefined);
  });

  test("commit() refuses a second node of an id, trashed or not", async (store) => {
    await done(store, insert(page("p")));
    await refused(store, insert(page("p", { position: "other" })));
    await done(store, [trash("p")]);
    await refused(store, insert(page("p", { position: "other" })));
  });

  test("commit() refuses a position that a sibling has, trashed or not", async (store) => {
    await done(store, insert(page("p"), block("b", "p", { position: "a0" })));
    await refused(store, insert(block("c", "p", { position: "a0" })));
    await refused(store, insert(page("q", { position: "pp" })));
    await done(store, [trash("b")]);
    await refused(store, insert(block("c", "p", { position: "a0" })));
    await done(store, insert(page("q", { position: "a0" })));
  });
}

function updateTests(test: StoreTest): void {
  test("commit() updates a node of the expected version", async (store) => {
    await done(store, insert(page("p")));
    await done(store, [update("p", 1)]);
    const edited = { editedTime: LATER.time, editedBy: LATER.by };
    const content = { title: "New", doc: '{"new":true}', hasMentions: true };
    assertEquals(await store.node(W, "p"), view(page("p", { ...content, ...edited, version: 2 })));
  });

  test("commit() refuses to update at another version, in the trash, or nothing", async (store) => {
    await done(store, insert(page("p"), page("q")));
    await done(store, [trash("q")]);
    await refused(store, [update("p", 2)]);
    await refused(store, [update("p", 0)]);
    await refused(store, [update("q", 2)]);
    await refused(store, [update("nobody", 1)]);
  });

  test("commit() lets one of two updates of the same version happen", async (store) => {
    await done(store, insert(page("p")));
    const outcomes = await Promise.all([
      store.commit(W, [update("p", 1)]),
      store.commit(W, [update("p", 1)]),
    ]);
    assertEquals(outcomes.sort(), ["committed", "conflict"] satisfies CommitOutcome[]);
  });
}

function trashTests(test: StoreTest): void {
  test("commit() trashes a node with all its descendants outside the trash", async (store) => {
    await done(store, insert(page("p"), block("b", "p"), block("c", "b"), page("q")));
    await done(store, [trash("p")]);
    const root = { editedTime: LATER.time, editedBy: LATER.by, version: 2, trashRoot: "p" };
    const below = { version: 2, trashRoot: "p" };
    assertEquals(await store.node(W, "p"), view(page("p", root), { hasChildren: true }));
    assertEquals(await store.node(W, "b"), view(block("b", "p", below), { hasChildren: true }));
    assertEquals(await store.node(W, "c"), view(block("c", "b", below)));
    assertEquals(await store.node(W, "q"), view(page("q")));
  });

  test("commit() leaves what was trashed before to its own deletion", async (store) => {
    await done(store, insert(page("p"), block("b", "p"), block("c", "p"), block("d", "c")));
    await done(store, [trash("b"), trash("d")]);
    await done(store, [trash("p")]);
    const states = await Promise.all(["b", "c", "d"].map((id) => node(store, id)));
    assertEquals(states.map(({ trashRoot }) => trashRoot), ["b", "p", "d"]);
    assertEquals(states.map(({ version }) => version), [2, 2, 2]);
  });

  test("commit() refuses to trash at another version, twice, or nothing", async (store) => {
    await done(store, insert(page("p")));
    await refused(store, [trash("p", 2)]);
    await refused(store, [trash("nobody")]);
    await done(store, [trash("p")]);
    await refused(store, [trash("p", 2)]);
  });
}

function restoreTests(test: StoreTest): void {
  test("commit() restores exactly what the deletion took", async (store) => {
    await done(store, insert(page("p"), block("b", "p"), block("c", "p"), block("d", "c")));
    await done(store, [trash("b")]);
    await done(store, [trash("p")]);
    await done(store, [restore("p")]);
    const states = await Promise.all(["p", "b", "c", "d"].map((id) => node(store, id)));
    assertEquals(states.map(({ trashRoot }) => trashRoot), [null, "b", null, null]);
    assertEquals(states.map(({ version }) => version), [3, 2, 3, 3]);
    assertEquals(states.map(({ editedBy }) => editedBy), [
      LATER.by,
      LATER.by,
      FIRST.by,
      FIRST.by,
    ]);
  });

  test("commit() restores only the root of a deletion, if its parent is outside the trash", async (store) => {
    await done(store, insert(page("p"), block("b", "p"), block("c", "b")));
    await done(store, [trash("b")]);
    await refused(store, [restore("c")]);
    await refused(store, [restore("b", 1)]);
    await done(store, [trash("p")]);
    await refused(store, [restore("b")]);
    await done(store, [restore("p"), restore("b")]);
    await refused(store, [restore("b", 3)]);
    await refused(store, [restore("nobody")]);
    assertEquals((await node(store, "c")).trashRoot, null);
  });
}

/** More than any statement of the stores changes at once. */
const CHILDREN = 2_100;
/** Levels below the last of the children. */
const DEPTH = 50;

function largeTreeTests(test: StoreTest): void {
  test("commit() trashes and restores a wide and deep tree, and nothing beside it", async (store) => {
    const children = Array.from({ length: CHILDREN }, (_, index) => `b${index}`);
    const deep = Array.from({ length: DEPTH }, (_, level) => `deep${level}`);
    const last = children.at(-1) ?? "";
    await done(store, insert(page("p"), ...children.map((id) => block(id, "p")), page("q")));
    await done(
      store,
      insert(...deep.map((id, level) => block(id, deep[level - 1] ?? last)), block("bq", "q")),
    );
    const states = async () => {
      const nodes = await store.firstNodes(W, ["p", ...children, ...deep, "q", "bq"]);
      const all = nodes.map(({ version, trashRoot }) => `${version} ${trashRoot}`);
      return Object.entries(Object.groupBy(all, (state) => state))
        .map(([state, { length } = []]) => [state, length]);
    };
    const size = 1 + CHILDREN + DEPTH;
    await done(store, [trash("p")]);
    assertEquals(await states(), [["2 p", size], ["1 null", 2]]);
    await done(store, [restore("p")]);
    assertEquals(await states(), [["3 null", size], ["1 null", 2]]);
  });
}

function touchTests(test: StoreTest): void {
  test("commit() touches a living page or database, and nothing else", async (store) => {
    const database = page("d", { kind: "database", type: "child_database" });
    await done(store, insert(page("p"), database, block("b", "p"), page("q")));
    await done(store, [trash("q")]);
    await done(store, [touch("p"), touch("d"), touch("b"), touch("q"), touch("nobody")]);
    const edited = { editedTime: LATER.time, editedBy: LATER.by, version: 2 };
    assertEquals(await store.node(W, "p"), view(page("p", edited), { hasChildren: true }));
    assertEquals(await store.node(W, "d"), view({ ...database, ...edited }));
    assertEquals(await store.node(W, "b"), view(block("b", "p")));
    assertEquals((await node(store, "q")).version, 2);
  });
}

function atomicityTests(test: StoreTest): void {
  test("commit() does nothing at all if its last change is rejected", async (store) => {
    await done(store, insert(page("p"), block("b", "p")));
    const changes = [update("p", 1), trash("b"), ...insert(page("q")), touch("p")];
    await refused(store, [...changes, update("b", 9)], receipt("k"));
    assertEquals(await store.node(W, "p"), view(page("p"), { hasChildren: true }));
    assertEquals(await store.node(W, "b"), view(block("b", "p")));
    assertEquals(await store.node(W, "q"), undefined);
    assertEquals(await store.receipt(W, "k", 0), undefined);
  });

  test("commit() applies changes in order, each to the result of the earlier ones", async (store) => {
    await done(store, insert(page("p")));
    await done(store, [update("p", 1), update("p", 2, "[]"), trash("p", 3), restore("p", 4)]);
    assertEquals((await node(store, "p")).version, 5);
    assertEquals((await node(store, "p")).doc, "[]");
    await done(store, []);
  });
}
