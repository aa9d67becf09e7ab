import type { BlockInput } from "../../../src/content/blocks/mod.ts";
import { assert, assertEquals } from "../../assert.ts";
import { drafted, PAGE } from "../blocks_helpers.ts";
import { outlines, printed, read, rendered } from "./support.ts";

function many(count: number, toBlock: (text: string) => BlockInput): BlockInput[] {
  return Array.from({ length: count }, (_, index) => toBlock(`n${index}`));
}

const text = (content: string) => ({ rich_text: [{ text: { content } }] });
const numbered = (content: string): BlockInput => ({ numbered_list_item: text(content) });
const bulleted = (content: string): BlockInput => ({ bulleted_list_item: text(content) });
const paragraph = (content: string): BlockInput => ({ paragraph: text(content) });

Deno.test("renderContent() returns a large page in parts that form one text", async () => {
  const blocks = [
    ...many(700, paragraph),
    ...many(900, bulleted),
    ...many(1_300, numbered),
    ...many(400, paragraph),
    ...many(3, numbered),
  ];
  const { parts } = await rendered(drafted(blocks));
  assert(parts.length > 4);
  const lines = [
    ...Array.from({ length: 700 }, (_, index) => `n${index}\n\n`),
    ...Array.from({ length: 900 }, (_, index) => `- n${index}\n`),
    "\n",
    ...Array.from({ length: 1_300 }, (_, index) => `${index + 1}. n${index}\n`),
    "\n",
    ...Array.from({ length: 400 }, (_, index) => `n${index}\n\n`),
    ...Array.from({ length: 3 }, (_, index) => `${index + 1}. n${index}\n`),
  ];
  assertEquals(parts.join(""), lines.join(""));
  assertEquals(outlines(read(parts.join(""))), outlines(blocks));
});

Deno.test("renderContent() prints long documents in portions that form one text", async () => {
  const long = (content: string) => `${content} ${"x".repeat(1_000)}`;
  const blocks = [
    ...many(100, (text) => paragraph(long(text))),
    ...many(400, (text) => numbered(long(text))),
  ];
  const lengths: number[] = [];
  const { parts } = await rendered(drafted(blocks), undefined, ({ docs }) => {
    lengths.push(docs.reduce((sum, { length }) => sum + length, 0));
  });
  assert(lengths.length > 3);
  assert(lengths.every((length) => length < 260_000), String(lengths));
  const lines = [
    ...Array.from({ length: 100 }, (_, index) => `${long(`n${index}`)}\n\n`),
    ...Array.from({ length: 400 }, (_, index) => `${index + 1}. ${long(`n${index}`)}\n`),
  ];
  assertEquals(parts.join(""), lines.join(""));
});

Deno.test("renderContent() lists the blocks behind 16 MB of one top-level block, and goes on behind it", async () => {
  const nodes = drafted([
    { toggle: { ...text("t"), children: many(3, (content) => bulleted(content)) } },
    paragraph("next"),
  ]);
  const long = nodes.map((node) => ({ ...node, length: 7_000_000 }));
  const { parts, omittedIds } = await rendered(long);
  const whole = (await rendered(nodes)).parts.join("");
  assertEquals(parts.join(""), whole.replace("- n1\n- n2\n", ""));
  assertEquals(omittedIds, nodes.slice(2, 4).map(({ id }) => id));
});

Deno.test("renderContent() orders nodes by position", async () => {
  const nodes = drafted([paragraph("a"), {
    toggle: { ...text("b"), children: many(3, paragraph) },
  }]);
  assertEquals(await rendered(nodes.toReversed()), await rendered(nodes));
});

Deno.test("renderContent() accepts any depth and lists the blocks that it does not nest", async () => {
  const depth = 20_000;
  const [first] = drafted([bulleted("x")]);
  assert(first);
  const nodes = Array.from({ length: depth }, (_, level) => ({
    ...first,
    id: `n${level}`,
    parentId: level === 0 ? PAGE : `n${level - 1}`,
  }));
  const { parts, unknownIds } = await rendered(nodes);
  const lines = parts.join("").trimEnd().split("\n");
  assertEquals(lines.length, depth);
  assertEquals(unknownIds, nodes.slice(61).map(({ id }) => id));
});

Deno.test("renderContent() lists unsupported blocks and shows a placeholder for each", async () => {
  const [node] = drafted([paragraph("a")]);
  assert(node);
  const unknown = { ...node, id: "u", type: "unsupported", doc: "{}", position: "z" };
  const { parts, unknownIds } = await rendered([unknown, node]);
  assertEquals(
    parts.join(""),
    'a\n\n<div data-block="unsupported" data-id="u"></div>\n',
  );
  assertEquals(unknownIds, ["u"]);
});

Deno.test("every type of block has the same form with any content", async () => {
  assertEquals(await printed([{ paragraph: text("") }]), "<br>\n");
  assertEquals(
    await printed([{ quote: { rich_text: [], children: [paragraph("a")] } }]),
    "> <!-- -->\n>\n> a\n",
  );
  assertEquals(await printed([{ to_do: { rich_text: [] } }]), "- [ ] <!-- -->\n");
  assertEquals(await printed([{ divider: {} }]), "***\n");
});
