import { ERASED_NAME } from "../../src/content/values/users.ts";
import type { Change } from "../../src/content/schema/node.ts";
import type { Store } from "../../src/store/port.ts";
import { assert, assertEquals } from "../assert.ts";
import { done, refused, type StoreTest, W } from "./contract_support.ts";
import { block, insert, page, person, receipt, restore, trash } from "./samples.ts";

const EDIT = { time: 5_000, by: "operator" };
const FILE = "00000000-0000-4000-8000-000000000001";

/** Runs slices until nothing is left; returns how many did something. */
async function repeat(slice: () => Promise<number>): Promise<number> {
  let slices = 0;
  while (await slice() > 0) slices++;
  return slices;
}

async function purge(store: Store, id: string, limit = 100): Promise<number> {
  assert(await store.beginPurge(W, id, EDIT));
  return await repeat(() => store.purgeSlice(W, id, limit));
}

/** A page with blocks, a page inside, and a file. */
async function tree(store: Store): Promise<void> {
  const inside = { parentKind: "page", parentId: "a", containerId: "a" } as const;
  const doc = JSON.stringify([{ type: "file", file: { upload: FILE } }]);
  await done(store, [
    ...fileArrives(FILE),
    ...insert(
      page("a", { title: "Zebra" }),
      block("b", "a", inside),
      block("c", "b", { containerId: "a" }),
      block("f", "a", { ...inside, type: "file", doc, hasMentions: true, position: "q" }),
      page("d", { parentKind: "page", parentId: "a", position: "r", title: "Zebra foal" }),
      page("other", { title: "Zebra elsewhere" }),
    ),
  ]);
}

function fileArrives(id: string): Change[] {
  const upload = {
    ...{ id, status: "pending", parts: null, filename: null, contentType: null } as const,
    contentLength: null,
    blob: null,
    hash: null,
    createdTime: 0,
    createdBy: "ann",
    expiresTime: 1_000,
    life: 1_000,
    sourceUrl: null,
    failure: null,
  };
  const arrival = { hash: null, filename: "a", contentType: "text/plain", contentLength: 3 };
  return [
    { op: "createUpload", upload },
    { op: "storeUpload", uploadId: id, blob: `blob of ${id}` },
    { op: "completeUpload", uploadId: id, blob: `blob of ${id}`, ...arrival },
  ];
}

async function found(store: Store, word: string): Promise<string[]> {
  const phrase = { terms: [word], isPrefix: false };
  const query = { phrases: [phrase], match: "all", scope: {}, limit: 100 } as const;
  return (await store.findWords(W, query)).matches.map(({ id }) => id).sort();
}

export function administrationContract(test: StoreTest): void {
  userContract(test);
  purgeContract(test);
  workspaceContract(test);
}

function userContract(test: StoreTest): void {
  test("an erased user is a name that says so, and no token brings the old one back", async (store) => {
    const ann = { ...person("ann"), name: "Ann", email: "ann@x.example", pseudonym: "0123" };
    await store.saveUser(W, ann);
    assertEquals((await store.userRecord(W, "ann"))?.pseudonym, "0123");
    assert(await store.eraseUser(W, "ann", 7));
    const erased = {
      ...{ id: "ann", type: "person", name: ERASED_NAME, email: null, avatarUrl: null } as const,
      pseudonym: null,
      erasedTime: 7,
    };
    assertEquals(await store.userRecord(W, "ann"), erased);
    await store.saveUser(W, ann);
    await store.saveUser(W, { ...ann, name: "Ann again", type: "bot" });
    assertEquals(await store.userRecord(W, "ann"), erased);
    assertEquals((await store.user(W, "ann"))?.name, ERASED_NAME);
  });

  test("erasing the user of an API key takes the key's name, too, and tells every process", async (store) => {
    const key = { id: "key", name: "Ann's key", scopes: [], createdTime: 1, expiresTime: null };
    await store.addApiKey(W, key, "a".repeat(64));
    await store.saveUser(W, { ...person("key"), name: "Ann's key", type: "bot" });
    const before = await store.apiKeyRevision();
    assert(await store.eraseUser(W, "key", 7));
    assertEquals((await store.apiKeys()).map(({ name }) => name), [ERASED_NAME]);
    assert(await store.apiKeyRevision() > before, "the revision has not grown");
  });

  test("an erased user who is allowed again gets its name from the next token", async (store) => {
    const ann = { ...person("ann"), name: "Ann" };
    await store.saveUser(W, ann);
    assertEquals(await store.allowUser(W, "ann"), false);
    await store.eraseUser(W, "ann", 7);
    assert(await store.allowUser(W, "ann"));
    assertEquals((await store.user(W, "ann"))?.name, ERASED_NAME);
    await store.saveUser(W, ann);
    assertEquals((await store.user(W, "ann"))?.name, "Ann");
  });

  test("a user is erased in its workspace alone, and one that is not there in none", async (store) => {
    await store.saveUser("other", { ...person("ann"), name: "Ann" });
    assertEquals(await store.eraseUser(W, "ann", 7), false);
    assertEquals((await store.user("other", "ann"))?.name, "Ann");
  });

  test("a token of a known user adds the pseudonym that is missing", async (store) => {
    await store.saveUser(W, person("ann"));
    assertEquals((await store.userRecord(W, "ann"))?.pseudonym, null);
    await store.saveUser(W, { ...person("ann"), pseudonym: "0123" });
    await store.saveUser(W, person("ann"));
    assertEquals((await store.userRecord(W, "ann"))?.pseudonym, "0123");
  });

  test("users of all workspaces are listed page by page", async (store) => {
    for (const [workspace, id] of [["v", "b"], ["v", "a"], ["w", "a"]] as const) {
      await store.saveUser(workspace, person(id));
    }
    const first = await store.listUsers(undefined, 2);
    assertEquals(first.map(({ workspace, id }) => [workspace, id]), [["v", "a"], ["v", "b"]]);
    const rest = await store.listUsers(first.at(-1), 2);
    assertEquals(rest.map(({ workspace, id }) => [workspace, id]), [["w", "a"]]);
  });

  test("users of one workspace are listed page by page, but for those that were erased", async (store) => {
    for (const id of ["d", "b", "c", "a"]) await store.saveUser(W, person(id));
    await store.saveUser("other", person("e"));
    await store.eraseUser(W, "b", 7);
    const page = async (after: string | undefined) =>
      (await store.usersAfter(W, after, 2)).map(({ id }) => id);
    assertEquals(await page(undefined), ["a", "c"]);
    assertEquals(await page("c"), ["d"]);
    assertEquals(await page("d"), []);
  });

  test("receipts whose replies name a user are erased, in pages, and no others", async (store) => {
    const bodies = ['{"plain_text":"@Ann \\"A\\" Lee"}', '{"id":"u1"}', "{}"];
    for (const [index, body] of bodies.entries()) {
      await done(store, [], receipt(`k${index}`, { body, expiresTime: 9_000 }));
    }
    const texts = ['Ann "A" Lee', "u1"];
    assertEquals(await store.eraseReceipts(W, texts, { after: "", limit: 2 }), "k1");
    assertEquals(await store.eraseReceipts(W, texts, { after: "k1", limit: 2 }), "k2");
    assertEquals(await store.eraseReceipts(W, texts, { after: "k2", limit: 2 }), undefined);
    const left = await Promise.all(["k0", "k1", "k2"].map((key) => store.receipt(W, key, 0)));
    assertEquals(left.map((one) => one?.key), [undefined, undefined, "k2"]);
  });
}

function purgeContract(test: StoreTest): void {
  for (const limit of [1, 100]) {
    test(`a purge of ${limit} at a time leaves nothing of a page and what is below it`, async (store) => {
      await tree(store);
      await done(store, [trash("a")]);
      const slices = await purge(store, "a", limit);
      assert(limit > 1 || slices >= 5, `${slices} slices`);
      assertEquals(await store.firstNodes(W, ["a", "b", "c", "d", "f"]), []);
      assertEquals(await found(store, "zebra"), ["other"]);
      const { parts } = await store.wordStatistics(W, []);
      assertEquals(parts, 1);
      assertEquals((await store.uploads(W, [FILE]))[0]?.expiresTime, 0);
      assertEquals(await store.trashEntries(W, "", 10), []);
    });
  }

  test("a page that is being purged is in the trash and cannot be restored", async (store) => {
    await tree(store);
    assert(await store.beginPurge(W, "a", EDIT));
    const [entry] = await store.trashEntries(W, "", 10);
    assertEquals(entry, {
      id: "a",
      kind: "page",
      title: "Zebra",
      trashedTime: EDIT.time,
      trashedBy: EDIT.by,
      isPurging: true,
    });
    assert(!(await found(store, "zebra")).includes("a"), "search no longer finds it");
    await refused(store, [restore("a")]);
  });

  test("a purge that stopped goes on; what is left always has its parent", async (store) => {
    await tree(store);
    await store.beginPurge(W, "a", EDIT);
    for (let left = 5; left > 0;) {
      await store.purgeSlice(W, "a", 1);
      const nodes = await store.firstNodes(W, ["a", "b", "c", "d", "f"]);
      const ids = new Set(nodes.map(({ id }) => id));
      assertEquals(nodes.filter(({ parentId }) => parentId !== null && !ids.has(parentId)), []);
      left = nodes.length;
    }
    assertEquals(await store.purgeSlice(W, "a", 1), 0);
  });

  test("what was deleted before its page goes with the page", async (store) => {
    await tree(store);
    await done(store, [trash("d")]);
    await done(store, [trash("a")]);
    assertEquals((await store.trashEntries(W, "", 10)).map(({ id }) => id), ["a", "d"]);
    assertEquals((await store.trashEntries(W, "a", 10)).map(({ id }) => id), ["d"]);
    await purge(store, "a");
    assertEquals(await store.trashEntries(W, "", 10), []);
  });

  test("a file that another page shows stays when its page is purged", async (store) => {
    await tree(store);
    const doc = JSON.stringify([{ type: "file", file: { upload: FILE } }]);
    const inside = { parentKind: "page", parentId: "other", containerId: "other" } as const;
    await done(store, insert(block("g", "other", { ...inside, doc, hasMentions: true })));
    await purge(store, "a");
    assertEquals((await store.uploads(W, [FILE]))[0]?.expiresTime, null);
  });

  test("purged pages come due, so that caches of their vectors notice", async (store) => {
    await tree(store);
    const due = await store.takeDue(W, { now: 1, until: 2, limit: 10 });
    await store.finishDue(W, due);
    assertEquals(await store.countDue(W), 0);
    await purge(store, "a");
    assertEquals(await store.countDue(W), 2);
  });

  test("rows are purged with their cells and links, from either end", async (store) => {
    const row = { parentKind: "database", parentId: "t" } as const;
    await done(store, [
      ...insert(page("t", { kind: "database", type: "child_database" }), page("far")),
      ...insert(page("r", { ...row, position: "1" }), page("s", { ...row, position: "2" })),
      { op: "link", relationId: "x", side: "from", id: "r", others: ["s"] },
      { op: "link", relationId: "y", side: "from", id: "s", others: ["r", "s"] },
    ]);
    await purge(store, "r");
    const links = (relationId: string, id: string) =>
      store.links(W, { relationId, side: "from", ids: [id] });
    assertEquals((await links("x", "r")).get("r") ?? [], []);
    assertEquals((await links("y", "s")).get("s"), ["s"]);
  });

  test("a purge of what is not there does nothing, nor one of another workspace", async (store) => {
    await tree(store);
    assertEquals(await store.beginPurge(W, "nobody", EDIT), false);
    assertEquals(await store.beginPurge("w2", "a", EDIT), false);
    assertEquals(await store.purgeSlice(W, "nobody", 10), 0);
    assertEquals(await store.node(W, "a").then((node) => node?.trashRoot), null);
  });

  test("workspaces with a trash are found in order", async (store) => {
    for (const workspace of ["u", "v", "w"]) await store.commit(workspace, insert(page("a")));
    await store.commit("u", [trash("a")]);
    await store.commit("w", [trash("a")]);
    assertEquals(await store.nextTrash(""), "u");
    assertEquals(await store.nextTrash("u"), "w");
    assertEquals(await store.nextTrash("w"), undefined);
  });
}

function workspaceContract(test: StoreTest): void {
  test("a deleted workspace stores nothing, and its files are left over", async (store) => {
    await tree(store);
    await store.saveUser(W, person("ann"));
    await done(store, [], receipt("k"));
    await store.commit("other", insert(page("a", { title: "Zebra" })));
    const before = await store.usage(W);
    assertEquals([before.pages, before.blocks, before.users, before.files], [3, 3, 1, 1]);
    assertEquals([before.fileBytes, before.receipts], [3, 1]);
    assert(before.contentBytes > 0 && before.wordBytes > 0);
    assert(await repeat(() => store.deleteWorkspaceSlice(W, 2)) > 5);
    assertEquals(await store.orphans(W, 10), [{ uploadId: FILE, blob: `blob of ${FILE}` }]);
    await done(store, [{ op: "deleteOrphans", orphans: await store.orphans(W, 10) }]);
    assertEquals(await store.usage(W), {
      pages: 0,
      databases: 0,
      blocks: 0,
      trashed: 0,
      comments: 0,
      contentBytes: 0,
      users: 0,
      files: 0,
      fileBytes: 0,
      wordBytes: 0,
      vectorBytes: 0,
      receipts: 0,
    });
    assertEquals(await found(store, "zebra"), []);
    assertEquals(await store.nextWorkspace(""), "other");
    assertEquals(await store.nextWorkspace("other"), undefined);
    assertEquals((await store.usage("other")).pages, 1);
  });

  test("the API keys of a deleted workspace end with it, and those of others stay", async (store) => {
    const key = { name: "n8n", scopes: ["pages.read"], createdTime: 1_000, expiresTime: null };
    const hashes = ["a", "b", "c"].map((digit) => digit.repeat(64));
    const [first = "", second = "", other = ""] = hashes;
    await store.addApiKey(W, { ...key, id: "first" }, first);
    await store.addApiKey(W, { ...key, id: "second" }, second);
    await store.addApiKey("zz", { ...key, id: "first" }, other);
    assertEquals(await store.nextWorkspace(""), W);
    const revision = await store.apiKeyRevision();
    assertEquals(await repeat(() => store.deleteWorkspaceSlice(W, 1)), 2);
    assertEquals([await store.apiKey(first), await store.apiKey(second)], [undefined, undefined]);
    assertEquals((await store.apiKey(other))?.workspace, "zz");
    assert(await store.apiKeyRevision() > revision);
    assertEquals(await store.nextWorkspace(""), "zz");
    // The hashes are free again.
    await store.addApiKey("zz", { ...key, id: "second" }, first);
  });

  test("a workspace that was deleted can be used again", async (store) => {
    await tree(store);
    await repeat(() => store.deleteWorkspaceSlice(W, 100));
    await done(store, insert(page("z", { title: "Zebra" })));
    assertEquals(await found(store, "zebra"), ["z"]);
  });

  test("receipts that have expired are deleted, a few at a time, and no others", async (store) => {
    for (let n = 0; n < 5; n++) {
      await done(store, [], receipt(`k${n}`, { createdTime: 0, expiresTime: 1_000 + n }));
    }
    assertEquals(await store.nextReceipts(""), W);
    assertEquals(await store.expireReceipts(W, 1_003, 3), 3);
    assertEquals(await store.expireReceipts(W, 1_003, 3), 1);
    assertEquals(await store.expireReceipts(W, 1_003, 3), 0);
    assertEquals((await store.receipt(W, "k4", 0))?.key, "k4");
  });

  test("space is reclaimed in steps that end", async (store) => {
    await tree(store);
    await purge(store, "a");
    let steps = 0;
    while (await store.mergeWords() && steps < 1_000) steps++;
    while (await store.reclaimSpace(100) && steps < 1_000) steps++;
    assert(steps < 1_000);
    assertEquals(await found(store, "zebra"), ["other"]);
  });
}
