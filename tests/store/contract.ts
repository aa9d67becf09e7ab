/**
 * What every adapter of the store must do, as one suite that an adapter only has to call.
 *
 * @module
 */
import type { Change, NodeView } from "../../src/content/node.ts";
import type { CommitOutcome, Store } from "../../src/store/port.ts";
import { assert, assertEquals, assertNotEquals } from "../assert.ts";
import { modelContract } from "./model_contract.ts";
import {
  block,
  FIRST,
  insert,
  LATER,
  page,
  person,
  receipt,
  restore,
  touch,
  trash,
  update,
  view,
} from "./samples.ts";

/** Opens a store with nothing in it. */
export type OpenStore = () => Promise<Store>;

/** Registers a test that gets an empty store of its own. */
type StoreTest = (sentence: string, body: (store: Store) => Promise<void>) => void;

const W = "workspace";
const NOTHING_ABOVE = { after: null, before: null };

/** Registers the suite for one adapter. */
export function storeContract(name: string, open: OpenStore): void {
  const test: StoreTest = (sentence, body) => {
    Deno.test(`${name}: ${sentence}`, () => withStore(open, body));
  };
  insertTests(test);
  updateTests(test);
  trashTests(test);
  restoreTests(test);
  touchTests(test);
  atomicityTests(test);
  childrenTests(test);
  gapTests(test);
  titleTests(test);
  receiptTests(test);
  userTests(test);
  serviceTests(test);
  isolationTests(test);
  modelContract(name, open);
}

/** Runs work on a fresh store and closes it, whatever happens. */
export async function withStore(
  open: OpenStore,
  work: (store: Store) => Promise<void>,
): Promise<void> {
  const store = await open();
  try {
    await work(store);
  } finally {
    await store.close();
  }
}

function insertTests(test: StoreTest): void {
  test("node() answers what was inserted, each member as it was", async (store) => {
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
  test("commit() trashes a node with all that lives below it", async (store) => {
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
    await done(store, insert(page("p"), block("b", "p"), block("c", "p")));
    await done(store, [trash("b")]);
    await done(store, [trash("p")]);
    assertEquals((await node(store, "b")).trashRoot, "b");
    assertEquals((await node(store, "b")).version, 2);
    assertEquals((await node(store, "c")).trashRoot, "p");
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

  test("commit() restores only the root of a deletion, where its parent lives", async (store) => {
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
  test("commit() does nothing at all where its last change is refused", async (store) => {
    await done(store, insert(page("p"), block("b", "p")));
    const changes = [update("p", 1), trash("b"), ...insert(page("q")), touch("p")];
    await refused(store, [...changes, update("b", 9)], receipt("k"));
    assertEquals(await store.node(W, "p"), view(page("p"), { hasChildren: true }));
    assertEquals(await store.node(W, "b"), view(block("b", "p")));
    assertEquals(await store.node(W, "q"), undefined);
    assertEquals(await store.receipt(W, "k", 0), undefined);
  });

  test("commit() applies changes in order, each on what the earlier made", async (store) => {
    await done(store, insert(page("p")));
    await done(store, [update("p", 1), update("p", 2, "[]"), trash("p", 3), restore("p", 4)]);
    assertEquals((await node(store, "p")).version, 5);
    assertEquals((await node(store, "p")).doc, "[]");
    await done(store, []);
  });
}

function childrenTests(test: StoreTest): void {
  test("children() lists living children in order, a page at a time", async (store) => {
    // Code units, not letters: capitals stand before small ones, as in fractional indexes.
    const [a, b, c] = ["Zz", "a0", "a0V"].map((at) => block(at, "p", { position: at }));
    assert(a && b && c);
    await done(store, insert(page("p"), c, a, b, block("x", "p", { position: "a00" })));
    await done(store, [trash("x")]);
    assertEquals(await store.children(W, "p", { limit: 9 }), [a, b, c].map((n) => view(n)));
    assertEquals(await store.children(W, "p", { limit: 2 }), [a, b].map((n) => view(n)));
    assertEquals(await store.children(W, "p", { limit: 9, after: "Zz" }), [view(b), view(c)]);
    assertEquals(await store.children(W, "p", { limit: 9, after: "a0V" }), []);
  });

  test("children() lists what the trash took along with its parent", async (store) => {
    await done(store, insert(page("p"), block("b", "p"), block("c", "p"), block("d", "b")));
    await done(store, [trash("c")]);
    await done(store, [trash("p")]);
    assertEquals(ids(await store.children(W, "p", { limit: 9 })), ["b"]);
    assertEquals(ids(await store.children(W, "b", { limit: 9 })), ["d"]);
    assertEquals((await node(store, "p")).hasChildren, true);
  });

  test("children() answers none where the parent is unknown, and never the top", async (store) => {
    await done(store, insert(page("p")));
    assertEquals(await store.children(W, "nobody", { limit: 9 }), []);
    assertEquals(await store.children(W, "", { limit: 9 }), []);
    assertEquals(await store.children(W, W, { limit: 9 }), []);
  });

  test("children() does not count the trashed as children of a living node", async (store) => {
    await done(store, insert(page("p"), block("b", "p")));
    await done(store, [trash("b")]);
    assertEquals((await node(store, "p")).hasChildren, false);
    assertEquals(await store.children(W, "p", { limit: 9 }), []);
  });
}

function gapTests(test: StoreTest): void {
  test("gap() counts trashed siblings at either end and between", async (store) => {
    const at = (position: string) => block(position, "p", { position });
    await done(store, insert(page("p"), at("a"), at("b"), at("c"), at("d")));
    await done(store, [trash("a"), trash("c"), trash("d")]);
    assertEquals(await store.gap(W, "p", "start"), { after: null, before: "a" });
    assertEquals(await store.gap(W, "p", "end"), { after: "d", before: null });
    assertEquals(await store.gap(W, "p", { after: "b" }), { after: "b", before: "c" });
    assertEquals(await store.gap(W, "p", { after: "c" }), undefined);
  });

  test("gap() knows the top of the workspace and empty parents", async (store) => {
    assertEquals(await store.gap(W, null, "start"), NOTHING_ABOVE);
    assertEquals(await store.gap(W, null, "end"), NOTHING_ABOVE);
    await done(store, insert(page("p", { position: "a0" })));
    assertEquals(await store.gap(W, null, "end"), { after: "a0", before: null });
    assertEquals(await store.gap(W, null, { after: "p" }), { after: "a0", before: null });
    assertEquals(await store.gap(W, "p", "end"), NOTHING_ABOVE);
    assertEquals(await store.gap(W, "nobody", "start"), NOTHING_ABOVE);
  });

  test("gap() answers undefined behind a child of another parent", async (store) => {
    await done(store, insert(page("p"), page("q"), block("b", "p")));
    assertEquals(await store.gap(W, "q", { after: "b" }), undefined);
    assertEquals(await store.gap(W, null, { after: "b" }), undefined);
    assertEquals(await store.gap(W, "p", { after: "nobody" }), undefined);
  });
}

function titleTests(test: StoreTest): void {
  test("titles() answers those of pages and databases that exist", async (store) => {
    const database = page("d", { kind: "database", title: "" });
    await done(store, insert(page("p"), database, block("b", "p"), page("q")));
    await done(store, [trash("q")]);
    const titles = await store.titles(W, ["p", "d", "b", "q", "p", "nobody", "' --"]);
    assertEquals(
      titles,
      new Map([["p", "Title of p"], ["d", ""], ["q", "Title of q"]]),
    );
    assertEquals(await store.titles(W, []), new Map());
  });
}

function receiptTests(test: StoreTest): void {
  test("commit() keeps a receipt until it expires", async (store) => {
    const kept = receipt("k", { etag: null });
    await done(store, insert(page("p")), kept);
    assertEquals(await store.receipt(W, "k", 1_999), kept);
    assertEquals(await store.receipt(W, "k", 2_000), undefined);
    assertEquals(await store.receipt(W, "other", 0), undefined);
  });

  test("commit() refuses a second receipt of a key, and its changes with it", async (store) => {
    await done(store, [], receipt("k"));
    await refused(store, insert(page("p")), receipt("k", { createdTime: 1_999 }));
    assertEquals(await store.node(W, "p"), undefined);
    assertEquals(await store.receipt(W, "k", 0), receipt("k"));
  });

  test("commit() replaces a receipt that has expired", async (store) => {
    const second = receipt("k", { createdTime: 2_000, expiresTime: 3_000, body: "{}" });
    await done(store, [], receipt("k"));
    await done(store, [], second);
    assertEquals(await store.receipt(W, "k", 2_500), second);
  });
}

function userTests(test: StoreTest): void {
  test("saveUser() makes a user and brings it up to date, also to nothing", async (store) => {
    assertEquals(await store.user(W, "u"), undefined);
    await store.saveUser(W, person("u"));
    assertEquals(await store.user(W, "u"), person("u"));
    const fresh = person("u", {
      type: "bot",
      name: null,
      email: null,
      avatarUrl: "https://a.test",
    });
    await store.saveUser(W, fresh);
    await store.saveUser(W, fresh);
    assertEquals(await store.user(W, "u"), fresh);
  });

  test("users() answers those that exist, each once", async (store) => {
    await store.saveUser(W, person("u"));
    await store.saveUser(W, person("v", { type: "bot" }));
    const found = await store.users(W, ["v", "nobody", "u"]);
    assertEquals(found.sort((a, b) => a.id < b.id ? -1 : 1), [
      person("u"),
      person("v", { type: "bot" }),
    ]);
    assertEquals(await store.users(W, []), []);
  });
}

function serviceTests(test: StoreTest): void {
  test("secret() is 32 random bytes of a name, the same each time", async (store) => {
    const secret = await store.secret("cursor");
    assertEquals(secret.length, 32);
    assertEquals(await store.secret("cursor"), secret);
    assertNotEquals(await store.secret("files"), secret);
    // A caller that clears its copy must not clear the next caller's.
    secret.fill(0);
    assertNotEquals(await store.secret("cursor"), secret);
  });

  test("ping() answers, and leaves nothing behind", async (store) => {
    await store.ping();
    await store.ping();
    await done(store, insert(page("p")));
  });
}

function isolationTests(test: StoreTest): void {
  test("every method sees and changes its own workspace alone", async (store) => {
    await done(store, insert(page("p"), block("b", "p")), receipt("k"));
    await store.saveUser(W, person("u"));
    assertEquals(await store.node("other", "p"), undefined);
    assertEquals(await store.children("other", "p", { limit: 9 }), []);
    assertEquals(await store.gap("other", null, "end"), NOTHING_ABOVE);
    assertEquals(await store.gap("other", "p", { after: "b" }), undefined);
    assertEquals(await store.titles("other", ["p"]), new Map());
    assertEquals(await store.receipt("other", "k", 0), undefined);
    assertEquals(await store.user("other", "u"), undefined);
    assertEquals(await store.users("other", ["u"]), []);
    for (const change of [update("p", 1), trash("p"), ...insert(block("c", "p"))]) {
      assertEquals(await store.commit("other", [change]), "conflict");
    }
    assertEquals(await store.commit("other", [touch("p")], receipt("k")), "committed");
    assertEquals(await store.node(W, "p"), view(page("p"), { hasChildren: true }));
  });

  test("two workspaces may use the same ids, positions and keys", async (store) => {
    await done(store, insert(page("p"), block("b", "p")));
    assertEquals(await store.commit("other", insert(page("p"))), "committed");
    assertEquals((await store.node("other", "p"))?.hasChildren, false);
    await done(store, [trash("p")]);
    assertEquals(await store.node("other", "p"), view(page("p")));
    assertEquals(await store.commit("other", [restore("p", 1)]), "conflict");
    assertEquals((await node(store, "p")).trashRoot, "p");
  });
}

async function done(store: Store, ...rest: CommitArguments): Promise<void> {
  assertEquals(await store.commit(W, ...rest), "committed");
}

async function refused(store: Store, ...rest: CommitArguments): Promise<void> {
  assertEquals(await store.commit(W, ...rest), "conflict");
}

type CommitArguments = [changes: readonly Change[], receipt?: ReturnType<typeof receipt>];

async function node(store: Store, id: string): Promise<NodeView> {
  const found = await store.node(W, id);
  assert(found, `No node ${id}`);
  return found;
}

function ids(nodes: readonly NodeView[]): string[] {
  return nodes.map(({ id }) => id);
}
