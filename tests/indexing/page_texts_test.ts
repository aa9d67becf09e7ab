import { readPassages } from "../../src/indexing/page_texts.ts";
import type { Node, NodeView } from "../../src/content/schema/node.ts";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import { assert, assertEquals } from "../assert.ts";
import { block, insert, page, trash } from "../store/samples.ts";

const W = "w";

function paragraph(id: string, parentId: string, text: string): Node {
  const doc = JSON.stringify({ rich_text: [{ plain_text: text }], color: "default" });
  const parentKind = parentId === "a" ? "page" : "block";
  return block(id, parentId, { parentKind, containerId: "a", position: id, doc });
}

Deno.test("a page's texts are read in order at any depth, without those of pages in it", async () => {
  const store = openSqliteStore(":memory:");
  const inside = { parentKind: "page", parentId: "a", containerId: "a", position: "b2" } as const;
  const many = Array.from({ length: 450 }, (_, index) => {
    const id = `c${String(index).padStart(3, "0")}`;
    return paragraph(id, "b1", id);
  });
  const changes = insert(
    page("a", { title: "Top" }),
    ...[paragraph("b1", "a", "first"), ...many, paragraph("d", "c200", "deep")],
    page("b2", { title: "Inside", ...inside }),
    paragraph("b3", "a", "last"),
    paragraph("b4", "a", "gone"),
  );
  assertEquals(await store.commit(W, [...changes, trash("b4")]), "committed");
  const ids = many.map(({ id }) => id);
  const wanted = ["first", ...ids.slice(0, 201), "deep", ...ids.slice(201), "last"];
  const read = async () => {
    const [passages = [], none = []] = await readPassages(store, W, ["a", "unknown"]);
    assertEquals(none, []);
    return passages.flatMap(({ text }) => text.split("\n"));
  };
  assertEquals(await read(), wanted);
  // With its page it is in the trash, and may come back with it.
  assertEquals(await store.commit(W, [trash("a")]), "committed");
  assertEquals(await read(), wanted);
  await store.close();
});

Deno.test("a long page is only read as far as its passages need", async () => {
  let read = 0;
  const child = (number: number): NodeView => ({
    ...paragraph(String(number), "a", "gulls ".repeat(50)),
    hasChildren: false,
  });
  const [passages = []] = await readPassages(
    {
      firstNodes: () => Promise.resolve([{ ...page("a"), hasChildren: true }]),
      docs: () => Promise.resolve([]),
      pageComments: () => Promise.resolve([]),
      // It never ends.
      children: (_, __, { limit }) =>
        Promise.resolve(Array.from({ length: limit }, () => child(read++))),
    },
    W,
    ["a"],
  );
  assertEquals(passages.length, 64);
  assert(read < 2_000, `${read} blocks`);
});
