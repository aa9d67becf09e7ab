/**
 * The part of the store's contract beside the tree.
 *
 * @module
 */
import { assertEquals, assertNotEquals } from "../assert.ts";
import { done, node, refused, type StoreTest, W } from "./contract_support.ts";
import {
  block,
  insert,
  page,
  person,
  receipt,
  restore,
  touch,
  trash,
  update,
  view,
} from "./samples.ts";

/** Registers what receipts, users, secrets and workspaces are held to. */
export function serviceContract(test: StoreTest): void {
  receiptTests(test);
  userTests(test);
  serviceTests(test);
  healthTests(test);
  isolationTests(test);
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

function healthTests(test: StoreTest): void {
  test("checkDocuments() goes by slices through the documents of all workspaces", async (store) => {
    await done(store, insert(page("a"), block("b", "a"), page("c")));
    await done(store, [update("a", 1)]);
    assertEquals(await store.commit("another", insert(page("d"))), "committed");
    const first = await store.checkDocuments(undefined, 3);
    assertEquals(first, { checked: 3, damaged: [], next: { workspace: W, id: "b" } });
    assertEquals(await store.checkDocuments(first.next, 3), {
      checked: 1,
      damaged: [],
      next: undefined,
    });
  });

  test("ping() writes and removes what asks for space, as often as it is asked", async (store) => {
    await store.ping();
    for (let n = 0; n < 3; n++) await store.ping({ takesSpace: true });
  });
}

function userTests(test: StoreTest): void {
  test("saveUser() makes a user and brings it up to date", async (store) => {
    assertEquals(await store.user(W, "u"), undefined);
    await store.saveUser(W, person("u"));
    assertEquals(await store.user(W, "u"), person("u"));
    const look = { name: "Bob", email: "bob@example.com", avatarUrl: "https://a.test" };
    const fresh = person("u", { type: "bot", ...look });
    await store.saveUser(W, fresh);
    await store.saveUser(W, fresh);
    assertEquals(await store.user(W, "u"), fresh);
  });

  for (const member of ["name", "email", "avatarUrl"] as const) {
    test(`saveUser() keeps what it is not told, and lets an empty ${member} go`, async (store) => {
      const known = person("u", { avatarUrl: "https://a.test" });
      await store.saveUser(W, known);
      await store.saveUser(W, { ...known, [member]: null });
      assertEquals(await store.user(W, "u"), known);
      const other = { name: null, email: null, avatarUrl: null, [member]: "https://b.test" };
      await store.saveUser(W, { ...known, ...other });
      assertEquals(await store.user(W, "u"), { ...known, [member]: "https://b.test" });
      await store.saveUser(W, { ...known, [member]: "" });
      await store.saveUser(W, { ...known, [member]: "" });
      assertEquals(await store.user(W, "u"), { ...known, [member]: null });
      await store.saveUser(W, person("new", { [member]: "" }));
      assertEquals(await store.user(W, "new"), person("new", { [member]: null }));
    });
  }

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
    assertEquals(await store.gap("other", null, "end"), { after: null, before: null });
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
