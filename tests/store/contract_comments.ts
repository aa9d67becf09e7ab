/**
 * Contract: comments are stored, listed, found, trashed and deleted with their page or block.
 *
 * @module
 */
import type { Comment } from "../../src/content/schema/comment.ts";
import type { Change } from "../../src/content/schema/node.ts";
import { readPhrases } from "../../src/search/text/query.ts";
import type { Store } from "../../src/store/port.ts";
import { assert, assertEquals } from "../assert.ts";
import { done, refused, type StoreTest, W } from "./contract_support.ts";
import { block, FIRST, insert, LATER, page, restore, trash } from "./samples.ts";

const UPLOAD = "00000000-0000-4000-8000-000000000001";

function docOf(content: string, files: readonly string[] = []): string {
  return JSON.stringify({
    rich_text: [{ plain_text: content }],
    attachments: files.map((upload) => ({ category: "pdf", file: { upload } })),
    display_name: { type: "user" },
  });
}

function comment(id: string, nodeId: string, members: Partial<Comment> = {}): Comment {
  return {
    id,
    discussionId: `discussion of ${id}`,
    nodeId,
    pageId: "p",
    doc: docOf(`words${id}`),
    hasMentions: false,
    version: 1,
    createdTime: FIRST.time,
    createdBy: FIRST.by,
    editedTime: FIRST.time,
    editedBy: FIRST.by,
    ...members,
  };
}

function create(...comments: readonly Comment[]): Change[] {
  return comments.map((one) => ({ op: "createComment", comment: one }));
}

function update(id: string, version: number, content: string): Change {
  const state = { pageId: "p", doc: docOf(content), hasMentions: false, edit: LATER };
  return { op: "updateComment", id, version, ...state };
}

function remove(id: string, version = 1): Change {
  return { op: "deleteComment", id, version, pageId: "p", time: LATER.time };
}

/** A page with a block, and in it another one. */
async function tree(store: Store): Promise<void> {
  const inPage = { containerId: "p" };
  await done(
    store,
    insert(
      page("p"),
      block("b", "p", { ...inPage, parentKind: "page" }),
      block("c", "b", inPage),
    ),
  );
}

async function found(store: Store, words: string): Promise<string[]> {
  const query = { phrases: readPhrases(words), match: "all", scope: {}, limit: 100 } as const;
  return (await store.findWords(W, query)).matches.map(({ id }) => id);
}

async function idsOn(store: Store, nodeId: string): Promise<string[]> {
  return (await store.nodeComments(W, nodeId, { limit: 100 })).map(({ id }) => id);
}

async function idsIn(store: Store, pageId: string): Promise<string[]> {
  return (await store.pageComments(W, pageId, { limit: 100 })).map(({ id }) => id);
}

export function commentContract(test: StoreTest): void {
  listContract(test);
  changeContract(test);
  trashContract(test);
  purgeContract(test);
}

function listContract(test: StoreTest): void {
  test("a comment is read as it was created, in its workspace alone", async (store) => {
    await tree(store);
    const one = comment("x", "b", { hasMentions: true });
    await done(store, create(one));
    const view = { ...one, nodeKind: "block", inTrash: false } as const;
    assertEquals(await store.commentsById(W, ["x", "y"]), [view]);
    assertEquals(await store.discussionStart(W, one.discussionId), view);
    assertEquals(await store.commentsById("other", ["x"]), []);
    assertEquals(await store.discussionStart("other", one.discussionId), undefined);
    assertEquals(await store.nodeComments("other", "b", { limit: 9 }), []);
    assertEquals(await store.pageComments("other", "p", { limit: 9 }), []);
    assertEquals(await store.commit("other", create(comment("y", "b"))), "conflict");
  });

  test("a check of the documents reads those of comments in between those of nodes", async (store) => {
    await tree(store);
    await done(store, create(comment("bb", "b"), comment("z", "p")));
    const first = await store.checkDocuments(undefined, 2);
    assertEquals(first, { checked: 2, damaged: [], next: { workspace: W, id: "bb" } });
    const second = await store.checkDocuments(first.next, 2);
    assertEquals(second, { checked: 2, damaged: [], next: { workspace: W, id: "p" } });
    const last = await store.checkDocuments(second.next, 2);
    assertEquals(last, { checked: 1, damaged: [], next: undefined });
  });

  test("comments count to what their workspace stores", async (store) => {
    await tree(store);
    const before = await store.usage(W);
    const one = comment("x", "b");
    await done(store, create(one));
    const after = await store.usage(W);
    assertEquals([before.comments, after.comments], [0, 1]);
    assertEquals(after.contentBytes - before.contentBytes, one.doc.length);
  });

  test("comments are listed the oldest first, page by page, of a node and of a page", async (store) => {
    await tree(store);
    const times = { a: 30, b: 10, c: 20, d: 20 };
    const comments = Object.entries(times)
      .map(([id, createdTime]) => comment(id, "b", { createdTime }));
    await done(store, create(...comments, comment("e", "p", { createdTime: 15 })));
    assertEquals(await idsOn(store, "b"), ["b", "c", "d", "a"]);
    assertEquals(await idsOn(store, "p"), ["e"]);
    assertEquals(await idsIn(store, "p"), ["b", "e", "c", "d", "a"]);
    const first = await store.nodeComments(W, "b", { limit: 2 });
    const rest = await store.nodeComments(W, "b", { after: first.at(-1), limit: 2 });
    assertEquals([...first, ...rest].map(({ id }) => id), ["b", "c", "d", "a"]);
    const later = await store.pageComments(W, "p", { after: first.at(-1), limit: 9 });
    assertEquals(later.map(({ id }) => id), ["d", "a"]);
  });

  test("a discussion starts with its oldest comment that is left", async (store) => {
    await tree(store);
    const shared = { discussionId: "d" };
    const [first, second] = [comment("x", "b", shared), comment("y", "b", shared)];
    await done(store, create(first, { ...second, createdTime: 2_000 }));
    assertEquals((await store.discussionStart(W, "d"))?.id, "x");
    await done(store, [remove("x")]);
    assertEquals((await store.discussionStart(W, "d"))?.id, "y");
    await done(store, [remove("y")]);
    assertEquals(await store.discussionStart(W, "d"), undefined);
  });
}

function changeContract(test: StoreTest): void {
  test("a comment changes once for each version, and is found by its current words", async (store) => {
    await tree(store);
    await done(store, create(comment("x", "b")));
    assertEquals(await found(store, "wordsx"), ["p"]);
    await done(store, [update("x", 1, "sparrows")]);
    await refused(store, [update("x", 1, "again")]);
    await refused(store, [remove("x", 1)]);
    const [changed] = await store.commentsById(W, ["x"]);
    assertEquals([changed?.version, changed?.editedTime, changed?.editedBy], [2, 2_000, "bob"]);
    assertEquals(changed?.createdTime, FIRST.time);
    assertEquals([await found(store, "wordsx"), await found(store, "sparrows")], [[], ["p"]]);
    await done(store, [remove("x", 2)]);
    assertEquals(await store.commentsById(W, ["x"]), []);
    assertEquals(await found(store, "sparrows"), []);
    assertEquals(await found(store, "title"), ["p"], "the page stays");
  });

  test("a comment needs a node outside the trash, and an ID of its own", async (store) => {
    await tree(store);
    await done(store, create(comment("x", "b")));
    await refused(store, create(comment("x", "b")));
    await refused(store, create(comment("y", "nowhere")));
    await done(store, [trash("b")]);
    await refused(store, create(comment("y", "b")));
    await refused(store, [update("x", 1, "no")]);
    await refused(store, [remove("x")]);
    assertEquals((await store.commentsById(W, ["x"]))[0]?.inTrash, true);
  });

  test("a comment is found with the page and blocks of the commit that creates it", async (store) => {
    const own = { containerId: "p", parentKind: "page" } as const;
    await done(store, [
      ...insert(page("p"), block("b", "p", own)),
      ...create(comment("x", "b"), comment("y", "p")),
    ]);
    assertEquals(await found(store, "wordsx wordsy title"), ["p"]);
  });

  test("a file of a comment stays until the comment is deleted", async (store) => {
    await tree(store);
    const arrival = { filename: "a", contentType: "a/b", contentLength: 3, hash: null };
    await done(store, [
      {
        op: "createUpload",
        upload: {
          id: UPLOAD,
          status: "pending",
          parts: null,
          filename: null,
          contentType: null,
          contentLength: null,
          blob: null,
          hash: null,
          createdTime: 0,
          createdBy: "ann",
          expiresTime: 1_000,
          life: 1_000,
          sourceUrl: null,
          failure: null,
        },
      },
      { op: "storeUpload", uploadId: UPLOAD, blob: "b" },
      { op: "completeUpload", uploadId: UPLOAD, blob: "b", ...arrival },
    ]);
    const doc = docOf("with a file", [UPLOAD]);
    await done(store, create(comment("x", "b", { doc, hasMentions: true })));
    const expiry = async () => (await store.uploads(W, [UPLOAD]))[0]?.expiresTime;
    assertEquals(await expiry(), null);
    await done(store, [remove("x")]);
    assertEquals(await expiry(), LATER.time + 1_000);
  });
}

function trashContract(test: StoreTest): void {
  test("comments go to the trash with their page, and come back with it", async (store) => {
    await tree(store);
    await done(store, create(comment("x", "c"), comment("y", "p")));
    await done(store, [trash("p")]);
    assertEquals(await found(store, "wordsx"), []);
    assertEquals(await idsIn(store, "p"), ["x", "y"], "they are read by the ID of the page");
    await done(store, [restore("p")]);
    assertEquals(await found(store, "wordsx wordsy"), ["p"]);
  });

  test("comments of a trashed block are not found with its page, until it comes back", async (store) => {
    await tree(store);
    await done(store, create(comment("x", "c"), comment("y", "p")));
    await done(store, [trash("b")]);
    assertEquals(await found(store, "wordsx"), []);
    assertEquals(await found(store, "wordsy"), ["p"]);
    assertEquals(await idsIn(store, "p"), ["y"]);
    assertEquals(await idsOn(store, "c"), ["x"]);
    await done(store, [restore("b")]);
    assertEquals(await found(store, "wordsx wordsy"), ["p"]);
    assertEquals(await idsIn(store, "p"), ["x", "y"]);
  });
}

function purgeContract(test: StoreTest): void {
  test("a purge deletes comments slice by slice, and no others", async (store) => {
    await tree(store);
    const other = page("q");
    const many = Array.from({ length: 7 }, (_, index) => comment(`x${index}`, "c"));
    await done(store, [
      ...insert(other),
      ...create(...many, comment("y", "p"), comment("z", "q", { pageId: "q" })),
    ]);
    await store.beginPurge(W, "p", { time: 1, by: "" });
    let slices = 0;
    while (await store.purgeSlice(W, "p", 3) > 0) slices++;
    assert(slices >= 4, `${slices} slices`);
    const ids = [...many.map(({ id }) => id), "y", "z"];
    assertEquals((await store.commentsById(W, ids)).map(({ id }) => id), ["z"]);
    assertEquals(await found(store, "wordsx0"), []);
    assertEquals(await found(store, "wordsz"), ["q"]);
  });

  test("a workspace is deleted with its comments", async (store) => {
    await tree(store);
    await done(store, create(comment("x", "b")));
    await store.commit("other", insert(page("p")));
    await store.commit("other", create(comment("x", "p")));
    while (await store.deleteWorkspaceSlice(W, 2) > 0);
    assertEquals(await store.commentsById(W, ["x"]), []);
    assertEquals((await store.commentsById("other", ["x"])).length, 1);
  });
}
