import type { List, Root, Table } from "mdast";
import { branches } from "../../src/content/blocks/tree.ts";
import { fromFlow } from "../../src/content/markdown/from_flow.ts";
import { copyEachBlock } from "../../src/content/pages/copy_blocks.ts";
import { assertEquals } from "../assert.ts";
import { drafted, PAGE, TIME, USER } from "./blocks_helpers.ts";

/** More than the arguments that a call can have. */
const MANY = 150_000;

function many<T>(item: T): T[] {
  return Array.from({ length: MANY }, () => item);
}

Deno.test("a block with more children than a call has arguments is copied", () => {
  const [toggle, child] = drafted([{ toggle: { rich_text: [], children: [{ divider: {} }] } }]);
  if (toggle === undefined || child === undefined) throw new Error("Two blocks make two nodes");
  const children = many(child).map((node, index) => ({ ...node, id: `n${index}` }));
  let count = 0;
  const options = { from: PAGE, to: "other", edit: { time: TIME, by: USER } };
  const newId = () => `copy ${++count}`;
  const copies = [...copyEachBlock([toggle, ...children], { ...options, newId })];
  assertEquals(copies.length, MANY + 1);
});

Deno.test("Markdown with more items or rows than a call has arguments is read", () => {
  const list: List = { type: "list", children: many({ type: "listItem", children: [] }) };
  const rows: Table = { type: "table", children: many({ type: "tableRow", children: [] }) };
  const root: Root = { type: "root", children: [list, rows] };
  assertEquals(fromFlow(root, "").length, MANY + 1);
});

Deno.test("all children of a block are found, even if a call cannot have as many arguments", () => {
  const inputs = [{ toggle: { rich_text: [], children: many({ divider: {} }) } }];
  assertEquals(branches(inputs, "/children").length, MANY + 1);
});
