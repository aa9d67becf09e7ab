import { addCopiedSteps, type CopiedNodes } from "../../../src/content/markdown/copied_blocks.ts";
import type { ContentNode } from "../../../src/content/schema/node.ts";
import { assert, assertEquals } from "../../assert.ts";

function block(id: string, parentId: string | null, type = "paragraph"): ContentNode {
  return {
    id,
    parentId,
    kind: "block",
    type,
    title: "",
    position: "a0",
    version: 1,
    hasMentions: false,
    length: 2,
  };
}

function copiedFrom(nodes: readonly ContentNode[], copies: Readonly<Record<string, string>>) {
  const copied: CopiedNodes = { nodes: [], omitted: [] };
  const own = new Map(Object.keys(copies).map((id) => [id, block(id, "page", "synced_block")]));
  let steps = 0;
  for (const _ of addCopiedSteps(copied, own, { nodes, originals: Object.entries(copies) })) {
    steps++;
  }
  return { copied, steps };
}

Deno.test("each copy shows what is below its original, with ids and parents of its own", () => {
  const nodes = [block("o", "p"), block("a", "o"), block("b", "a"), block("c", "p")];
  const { copied } = copiedFrom(nodes, { x: "o", y: "o", z: "unknown" });
  assertEquals(copied.nodes.map(({ id, parentId }) => [id, parentId]), [
    ["x:a", "x"],
    ["x:b", "x:a"],
    ["y:a", "y"],
    ["y:b", "y:a"],
  ]);
  assertEquals(copied.omitted, []);
});

Deno.test("an original that is too large is looked through once, however many copies it has", () => {
  const large = Array.from({ length: 20_001 }, (_, n) => block(`a${n}`, "o"));
  const copies = Array.from({ length: 1_000 }, (_, n) => [`x${n}`, n % 10 === 0 ? "s" : "o"]);
  const nodes = [block("o", "p"), block("s", "p"), block("b", "s"), ...large];
  const { copied, steps } = copiedFrom(nodes, Object.fromEntries(copies));
  assertEquals([copied.nodes.length, copied.omitted.length], [100, 900]);
  assert(steps < 3_000, `${steps} steps`);
});
