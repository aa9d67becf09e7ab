import fc from "fast-check";
import * as v from "valibot";
import {
  block,
  blockChildrenInput,
  type BlockInput,
  blockIssues,
  blockJson,
  draftBlocks,
} from "../../src/content/blocks/mod.ts";
import type { Node } from "../../src/content/schema/node.ts";
import { assert, assertEquals } from "../assert.ts";
import { blockTree } from "./block_arbitraries.ts";
import { drafted, PAGE, parsed, TIME, USER } from "./blocks_helpers.ts";

/** A tree of types, which shows nesting and order. */
type Shape = readonly [type: string, children: readonly Shape[]];

function shapeOfInputs(inputs: readonly BlockInput[]): Shape[] {
  return inputs.map((input) => {
    const entry = Object.entries(input).find(([key]) => key !== "type" && key !== "object");
    const [type = "", value] = entry ?? [];
    return [type, shapeOfInputs(value?.children ?? [])];
  });
}

function shapeOfNodes(nodes: readonly Node[], parentId: string): Shape[] {
  return nodes
    .filter((node) => node.parentId === parentId)
    // By code units, as stores compare positions.
    .toSorted((a, b) => a.position < b.position ? -1 : 1)
    .map((node) => [node.type, shapeOfNodes(nodes, node.id)]);
}

Deno.test("draftBlocks() keeps any valid tree and creates readable blocks", () => {
  fc.assert(
    fc.property(blockTree, (tree) => {
      const inputs = v.parse(blockChildrenInput, tree);
      assertEquals(blockIssues(inputs, ""), []);
      const nodes = drafted(inputs);
      assertEquals(shapeOfNodes(nodes, PAGE), shapeOfInputs(tree));
      for (const node of nodes) {
        const json: unknown = JSON.parse(blockJson({ ...node, hasChildren: false }, node.doc));
        // Equal, because the schema would drop unknown members.
        assertEquals(v.parse(block, json), json);
      }
    }),
    { numRuns: 60 },
  );
});

Deno.test("draftBlocks() creates nodes in document order, parents first", () => {
  const nodes = drafted(parsed([
    { toggle: { rich_text: [], children: [{ divider: {} }, { breadcrumb: {} }] } },
    { quote: { rich_text: [] } },
  ]));
  assertEquals(nodes.map((node) => node.type), ["toggle", "divider", "breadcrumb", "quote"]);
  const ids = nodes.map((node) => node.id);
  assertEquals(ids, ids.toSorted());
});

Deno.test("draftBlocks() creates new blocks in the parent's container, outside the trash", () => {
  const nodes = drafted(parsed([{ toggle: { rich_text: [], children: [{ divider: {} }] } }]));
  const id = nodes[0]?.id ?? "";
  const common = {
    kind: "block",
    containerId: PAGE,
    title: "",
    hasMentions: false,
    version: 1,
    createdTime: TIME,
    createdBy: USER,
    editedTime: TIME,
    editedBy: USER,
    trashRoot: null,
    position: "a0",
  };
  assertEquals<unknown>(nodes, [
    {
      ...common,
      id,
      type: "toggle",
      parentKind: "page",
      parentId: PAGE,
      doc: '{"rich_text":[],"color":"default"}',
    },
    { ...common, id: nodes[1]?.id, type: "divider", parentKind: "block", parentId: id, doc: "{}" },
  ]);
});

Deno.test("draftBlocks() puts the top-level blocks into the gap", () => {
  const nodes = draftBlocks(parsed([{ divider: {} }, { divider: {} }]), {
    parent: { kind: "block", id: USER, containerId: PAGE },
    gap: { after: "a0", before: "a1" },
    edit: { time: TIME, by: USER },
    newId: () => PAGE,
  });
  const [first = "", second = ""] = nodes.map((node) => node.position);
  assert("a0" < first && first < second && second < "a1");
  assertEquals(nodes.map((node) => node.parentKind), ["block", "block"]);
});

Deno.test("draftBlocks() detects mentions whose names are filled in", () => {
  const mention = [{ mention: { page: { id: PAGE } } }];
  const nodes = drafted(parsed([
    { paragraph: { rich_text: mention } },
    { code: { rich_text: [], language: "c", caption: mention } },
    { paragraph: { rich_text: [{ mention: { date: { start: "2024-02-29" } } }] } },
  ]));
  assertEquals(nodes.map((node) => node.hasMentions), [true, true, false]);
  const [row] = drafted([{ table_row: { cells: [[], mention] } }]);
  assertEquals(row?.hasMentions, true);
});

Deno.test("draftBlocks() accepts any depth", () => {
  const depth = 20_000;
  let input: BlockInput = { divider: {} };
  for (let level = 0; level < depth; level++) {
    input = { toggle: { rich_text: [], children: [input] } };
  }
  assertEquals(drafted([input]).length, depth + 1);
});
