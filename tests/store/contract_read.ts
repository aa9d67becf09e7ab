/**
 * The part of the store's contract that reads the tree.
 *
 * @module
 */
import { LIMITS } from "../../src/content/values/limits.ts";
import { assert, assertEquals } from "../assert.ts";
import { done, node, type StoreTest, W } from "./contract_support.ts";
import { toContentNode, toDoc } from "./model.ts";
import { block, insert, page, trash, view } from "./samples.ts";

const NO_SIBLINGS = { after: null, before: null };

/** Registers what `versions()`, `blockVersions()`, `children()`, `gap()` and `titles()` answer. */
export function readContract(test: StoreTest): void {
  versionTests(test);
  blockVersionTests(test);
  childrenTests(test);
  contentTests(test);
  docsTests(test);
  gapTests(test);
  titleTests(test);
}

function versionTests(test: StoreTest): void {
  test("versions() are those of nodes(), and none in another workspace", async (store) => {
    await done(store, insert(page("p"), block("b", "p")));
    const versionsOf = async (...ids: string[]) => [...await store.versions(W, ids)].sort();
    const expected = async (id: string) => [id, (await node(store, id)).version];
    assertEquals(await versionsOf("p", "unknown"), [await expected("p")]);
    await done(store, [trash("p")]);
    assertEquals(await versionsOf("p", "b"), [await expected("b"), await expected("p")]);
    assertEquals(await versionsOf(), []);
    assertEquals((await store.versions("elsewhere", ["p"])).size, 0);
  });
}

function blockVersionTests(test: StoreTest): void {
  test("blockVersions() tell of nodes() the version and whether it has children", async (store) => {
    await done(store, insert(page("p"), block("b", "p"), block("c", "b"), block("d", "b")));
    const versionsOf = async (...ids: string[]) => [...await store.blockVersions(W, ids)].sort();
    const expected = async (id: string) => {
      const { version, hasChildren } = await node(store, id);
      return [id, { version, hasChildren }] as const;
    };
    const all = async () => [await expected("b"), await expected("c"), await expected("p")];
    const having = (nodes: Awaited<ReturnType<typeof all>>) =>
      nodes.map(([, { hasChildren }]) => hasChildren);
    assertEquals(await versionsOf("p", "b", "c", "unknown"), await all());
    assertEquals(having(await all()), [true, false, true]);
    await done(store, [trash("c"), trash("d")]);
    assertEquals(await versionsOf("p", "b", "c"), await all());
    assertEquals(having(await all()), [false, false, true]);
    await done(store, [trash("p")]);
    assertEquals(await versionsOf("p", "b", "c"), await all());
    assertEquals(having(await all()), [false, false, true]);
    assertEquals(await versionsOf(), []);
    assertEquals((await store.blockVersions("elsewhere", ["p"])).size, 0);
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

  test("children() lists the nodes that were trashed together with their parent", async (store) => {
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

function contentTests(test: StoreTest): void {
  const inP = { containerId: "p" } as const;
  const below = { parentKind: "page", parentId: "p", ...inP } as const;

  test("content() reads all that is in a page, and stops at the pages in it", async (store) => {
    const b = block("b", "p", inP);
    const c = block("c", "b", { ...inP, position: "a1", hasMentions: true });
    const q = page("q", below);
    await done(store, insert(page("p", { version: 7 }), b, c, q));
    await done(store, insert(block("x", "q", { containerId: "q" }), page("r")));
    const content = await store.content(W, "p");
    assertEquals(content?.version, 7);
    assertEquals(sorted(content?.nodes), [b, c, q].map(toContentNode));
    assertEquals(await store.mentioning(W, "p"), ["c"]);
    assertEquals(await store.content(W, "r"), { version: 1, nodes: [] });
  });

  test("smallContent() reads the same with documents, at once", async (store) => {
    const b = block("b", "p", { ...inP, doc: '{"b":1}' });
    const named = page("n", { ...below, hasMentions: true });
    const q = page("q", { ...below, position: "a1" });
    await done(store, insert(page("p", { version: 7 }), b, named, q, page("r")));
    await done(store, [trash("r")]);
    const small = await store.smallContent(W, "p");
    assertEquals([small?.kind, small?.version], ["page", 7]);
    assertEquals(sorted(small?.nodes), [b, named, q].map(toContentNode));
    assertEquals(sorted(small?.docs), [b, named].map(toDoc));
    const empty = { kind: "page", version: 2, nodes: [], docs: [] } as const;
    assertEquals(await store.smallContent(W, "r"), empty);
    for (const [workspace, id] of [[W, "b"], [W, "nobody"], [W, ""], ["elsewhere", "p"]] as const) {
      assertEquals(await store.smallContent(workspace, id), undefined);
    }
  });

  test("smallContent() is undefined of more than 100 nodes, and of a long document", async (store) => {
    const many = Array.from(
      { length: 100 },
      (_, n) => block(`b${n}`, "p", { ...inP, position: `a${n}` }),
    );
    await done(store, insert(page("p"), ...many));
    assertEquals((await store.smallContent(W, "p"))?.docs.length, 100);
    await done(store, insert(block("c", "p", inP)));
    assertEquals(await store.smallContent(W, "p"), undefined);
    const long = `"${"é".repeat(2_048)}"`;
    const inQ = { containerId: "q" } as const;
    await done(
      store,
      insert(page("q"), page("s", { ...inQ, parentKind: "page", parentId: "q", doc: long })),
    );
    assertEquals((await store.smallContent(W, "q"))?.nodes.length, 1);
    await done(store, insert(block("d", "q", { ...inQ, doc: long })));
    assertEquals(await store.smallContent(W, "q"), undefined);
  });

  test("content() reads the nodes that share the page's state, in the trash or outside", async (store) => {
    const mentions = { ...inP, hasMentions: true };
    await done(store, insert(page("p"), block("b", "p", inP), block("c", "b", mentions)));
    await done(store, insert(block("d", "p", mentions)));
    await done(store, [trash("d")]);
    assertEquals(ids(sorted((await store.content(W, "p"))?.nodes)), ["b", "c"]);
    assertEquals(await store.mentioning(W, "p"), ["c"]);
    await done(store, [trash("p")]);
    assertEquals(ids(sorted((await store.content(W, "p"))?.nodes)), ["b", "c"]);
    assertEquals(await store.mentioning(W, "p"), ["c"]);
  });

  test("content() is undefined of a block, and of nothing in another workspace", async (store) => {
    await done(store, insert(page("p"), block("b", "p", inP)));
    for (const [workspace, id] of [[W, "b"], [W, "nobody"], [W, ""], ["elsewhere", "p"]] as const) {
      assertEquals(await store.content(workspace, id), undefined);
      assertEquals(await store.mentioning(workspace, id), []);
    }
  });
}

function docsTests(test: StoreTest): void {
  test("docs() reads those of these nodes that exist, trashed or not", async (store) => {
    const b = block("b", "p", { doc: '{"b":1}' });
    await done(store, insert(page("p"), b, block("c", "p")));
    await done(store, [trash("c")]);
    const docs = await store.docs(W, ["b", "c", "nobody", "' --"]);
    const c = { id: "c", type: "paragraph", doc: "{}", version: 2 };
    assertEquals(docs.toSorted((a, b) => a.id < b.id ? -1 : 1), [toDoc(b), c]);
    assertEquals(await store.docs("elsewhere", ["b"]), []);
    assertEquals(await store.docs(W, []), []);
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

  test("depth() counts the nodes above a node, up to one beyond the limit", async (store) => {
    const within = (id: string) => ({ parentKind: "page", parentId: id, containerId: id }) as const;
    const ids = Array.from({ length: LIMITS.pageDepth + 3 }, (_, index) => `d${index}`);
    const pages = ids.map((id, index) => page(id, index === 0 ? {} : within(`d${index - 1}`)));
    await done(store, insert(...pages));
    assertEquals(await store.depth(W, "d0"), 1);
    assertEquals(await store.depth(W, "d2"), 3);
    assertEquals(await store.depth(W, ids.at(-1) ?? ""), LIMITS.pageDepth + 1);
    assertEquals(await store.depth(W, "nobody"), 0);
  });

  test("below() answers the nodes of a list that are below another one", async (store) => {
    const within = (id: string) => ({ parentKind: "page", parentId: id, containerId: id }) as const;
    const pages = [
      page("p"),
      page("q", within("p")),
      page("r", within("q")),
      page("s", { position: "s" }),
    ];
    await done(store, insert(...pages));
    const all = ["p", "q", "r", "s", "nobody"];
    assertEquals(await store.below(W, all, "p"), new Set(["q", "r"]));
    assertEquals(await store.below(W, ["r"], "q"), new Set(["r"]));
    assertEquals(await store.below(W, all, "r"), new Set());
    assertEquals(await store.below("other", all, "p"), new Set());
    assertEquals(await store.below(W, [], "p"), new Set());
  });

  test("gap() knows the top of the workspace and empty parents", async (store) => {
    assertEquals(await store.gap(W, null, "start"), NO_SIBLINGS);
    assertEquals(await store.gap(W, null, "end"), NO_SIBLINGS);
    await done(store, insert(page("p", { position: "a0" })));
    assertEquals(await store.gap(W, null, "end"), { after: "a0", before: null });
    assertEquals(await store.gap(W, null, { after: "p" }), { after: "a0", before: null });
    assertEquals(await store.gap(W, "p", "end"), NO_SIBLINGS);
    assertEquals(await store.gap(W, "nobody", "start"), NO_SIBLINGS);
  });

  test("gap() answers undefined behind a child of another parent", async (store) => {
    await done(store, insert(page("p"), page("q"), block("b", "p")));
    assertEquals(await store.gap(W, "q", { after: "b" }), undefined);
    assertEquals(await store.gap(W, null, { after: "b" }), undefined);
    assertEquals(await store.gap(W, "p", { after: "nobody" }), undefined);
  });
}

function titleTests(test: StoreTest): void {
  test("titles() answers the beginning of long ones", async (store) => {
    const titled = (id: string, title: string) => page(id, { position: id, title });
    const whole = "😀".repeat(500);
    const long = `${"😀".repeat(499)}ab`;
    await done(
      store,
      insert(titled("p", whole), titled("q", long), titled("r", "t".repeat(9_000))),
    );
    assertEquals(
      await store.titles(W, ["p", "q", "r"]),
      new Map([
        ["p", whole],
        ["q", `${"😀".repeat(499)}…`],
        ["r", `${"t".repeat(499)}…`],
      ]),
    );
  });

  test("mentioning() is undefined of more than 500 nodes", async (store) => {
    const inP = { containerId: "p" } as const;
    const blocks = (count: number, first: number) =>
      Array.from(
        { length: count },
        (_, n) =>
          block(`b${first + n}`, "p", { ...inP, position: `a${first + n}`, hasMentions: true }),
      );
    await done(store, insert(page("p"), ...blocks(500, 0)));
    assertEquals((await store.mentioning(W, "p"))?.length, 500);
    await done(store, insert(...blocks(1, 500)));
    assertEquals(await store.mentioning(W, "p"), undefined);
  });

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

function sorted<T extends { readonly id: string }>(nodes: readonly T[] | undefined): T[] {
  return (nodes ?? []).toSorted((a, b) => a.id < b.id ? -1 : 1);
}

function ids(nodes: readonly { readonly id: string }[]): string[] {
  return nodes.map(({ id }) => id);
}
