/**
 * Contract: a page moves with everything in it, and search finds it in its new place.
 *
 * @module
 */
import { NEWEST_FIRST } from "../../src/content/query/filter.ts";
import { textCell } from "../../src/content/schema/cells.ts";
import type { Change, MoveChange, Node } from "../../src/content/schema/node.ts";
import type { SearchWithin, Store } from "../../src/store/port.ts";
import { readPhrases } from "../../src/search/text/query.ts";
import { assertEquals } from "../assert.ts";
import { done, node, refused, type StoreTest, W } from "./contract_support.ts";
import { block, insert, LATER, page, trash } from "./samples.ts";

type Place = MoveChange["to"];

function inPage(parentId: string, position = "m"): Place {
  return { parentKind: "page", parentId, containerId: parentId, position };
}

const TOP: Place = { parentKind: "workspace", parentId: null, containerId: null, position: "m" };

function move(id: string, to: Place, version = 1): MoveChange {
  return { op: "move", id, version, to, edit: LATER };
}

function childPage(id: string, parentId: string, members: Partial<Node> = {}): Node {
  return page(id, { parentKind: "page", parentId, containerId: parentId, ...members });
}

/** Pages a and b at the top; c in a, with a block d, and in it the page e. */
async function tree(store: Store): Promise<void> {
  await done(
    store,
    insert(
      page("a"),
      page("b"),
      childPage("c", "a"),
      block("d", "c", { parentKind: "page", containerId: "c" }),
      page("e", { parentKind: "block", parentId: "d", containerId: "c" }),
    ),
  );
}

async function found(store: Store, words: string, scope: SearchWithin = {}): Promise<string[]> {
  const query = { phrases: readPhrases(words), match: "all", scope, limit: 100 } as const;
  return (await store.findWords(W, query)).matches.map(({ id }) => id).toSorted();
}

export function moveContract(test: StoreTest): void {
  test("a page moves with everything in it", async (store) => {
    await tree(store);
    await done(store, [move("c", inPage("b"))]);
    const moved = await node(store, "c");
    assertEquals([moved.parentKind, moved.parentId, moved.containerId], ["page", "b", "b"]);
    assertEquals([moved.version, moved.editedTime, moved.editedBy], [2, LATER.time, LATER.by]);
    const children = async (id: string) =>
      (await store.children(W, id, { limit: 9 })).map((child) => child.id);
    assertEquals([await children("a"), await children("b"), await children("c")], [
      ...[[], ["c"], ["d"]],
    ]);
    await done(store, [move("c", TOP, 2)]);
    assertEquals((await node(store, "c")).parentKind, "workspace");
  });

  test("search finds a page that moved, and all below it, in the new place alone", async (store) => {
    await tree(store);
    await done(store, [move("c", inPage("b"))]);
    const under = (ancestorId: string) => found(store, "title", { ancestorId });
    assertEquals([await under("a"), await under("b"), await under("c")], [
      ...[[], ["c", "e"], ["e"]],
    ]);
    assertEquals(await found(store, "title", { parentId: "b" }), ["c"]);
    assertEquals(await found(store, "title"), ["a", "b", "c", "e"]);
    await done(store, [move("c", TOP, 2)]);
    assertEquals([await under("b"), await under("c")], [[], ["e"]]);
    assertEquals(await found(store, "title"), ["a", "b", "c", "e"]);
  });

  test("a page does not move into itself, the trash or nowhere, and nothing else moves", async (store) => {
    await tree(store);
    await done(store, insert(page("t")));
    await done(store, [trash("t")]);
    const refusals: Change[] = [
      move("c", inPage("c")),
      move("c", inPage("e")),
      move("a", inPage("e")),
      move("c", inPage("t")),
      move("c", inPage("nowhere")),
      move("c", inPage("b"), 2),
      move("d", inPage("b")),
      move("t", inPage("b"), 2),
    ];
    for (const change of refusals) await refused(store, [change]);
    assertEquals(await store.commit("other", [move("c", TOP)]), "conflict");
    await store.commit("other", insert(page("x")));
    await refused(store, [move("c", inPage("x"))]);
    assertEquals((await node(store, "c")).parentId, "a");
  });

  test("a row that becomes a page has neither cells nor links, and the reverse", async (store) => {
    const database = { kind: "database", type: "child_database" } as const;
    const row = (id: string): Node =>
      page(id, { parentKind: "database", parentId: "k", containerId: "k" });
    const cells = (text: string) => [{ propertyId: "title", ordinal: 0, ...textCell(text) }];
    await done(store, [
      ...insert(page("k", database), page("a")),
      ...["r", "s"].map((id) => ({ op: "insert", node: row(id), cells: cells(id) } as const)),
      { op: "link", relationId: "l", side: "from", id: "s", others: ["r"] },
    ]);
    const content = { title: "New title", doc: "{}", hasMentions: false };
    await done(store, [{ ...move("r", inPage("a")), content }]);
    assertEquals((await node(store, "r")).title, "New title");
    const links = { relationId: "l", side: "from", ids: ["s"] } as const;
    assertEquals((await store.links(W, links)).get("s") ?? [], []);
    assertEquals(await found(store, "new"), ["r"]);
    const rows = async () => {
      const query = { databaseId: "k", inTrash: false, sorts: NEWEST_FIRST, limit: 9 };
      return (await store.rows(W, query)).map(({ node: one }) => one.id).toSorted();
    };
    assertEquals(await rows(), ["s"]);
    const back = {
      parentKind: "database",
      parentId: "k",
      containerId: "k",
      position: "z",
    } as const;
    await done(store, [{ ...move("r", back, 2), content: { ...content, cells: cells("r") } }]);
    assertEquals(await rows(), ["r", "s"]);
  });
}
