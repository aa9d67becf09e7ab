import { copyEachBlock, type SourceBlock } from "../../src/content/pages/copy_blocks.ts";
import { assert, assertEquals } from "../assert.ts";

function block(id: string, parentId: string, members: Partial<SourceBlock> = {}): SourceBlock {
  const doc = JSON.stringify({ name: id });
  return { id, type: "paragraph", parentId, position: id, hasMentions: false, doc, ...members };
}

function copying(blocks: readonly SourceBlock[]) {
  let count = 0;
  const copies = copyEachBlock(blocks, {
    from: "page",
    to: "copy",
    edit: { time: 1, by: "ann" },
    newId: () => `new${++count}`,
  });
  return { copies, countIds: () => count };
}

Deno.test("copies come one by one, so that the caller can pause before any of them", () => {
  const blocks = Array.from({ length: 1_000 }, (_, index) => block(`b${index}`, "page"));
  const { copies, countIds } = copying(blocks);
  for (let made = 1; made <= 3; made++) {
    assert(!copies.next().done);
    assertEquals(countIds(), made);
  }
});

Deno.test("parents come before their children, and originals may come behind their copies", () => {
  const synced = (from: string) => ({
    type: "synced_block",
    doc: JSON.stringify({ synced_from: { block_id: from } }),
  });
  const { copies } = copying([
    block("child", "z"),
    block("a", "page", synced("child")),
    block("outside", "page", synced("elsewhere")),
    block("z", "page"),
  ]);
  const nodes = [...copies];
  const parents = new Map(nodes.map(({ id, parentId }) => [id, parentId]));
  const [a, outside, z, child] = nodes;
  assertEquals(nodes.map(({ parentKind }) => parentKind), ["page", "page", "page", "block"]);
  assertEquals(parents.get(child?.id ?? ""), z?.id);
  assertEquals(JSON.parse(a?.doc ?? "").synced_from.block_id, child?.id);
  assertEquals(JSON.parse(outside?.doc ?? "").synced_from.block_id, "elsewhere");
  assertEquals(new Set(nodes.map(({ id }) => id)).size, 4);
});
