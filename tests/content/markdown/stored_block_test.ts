import fc from "fast-check";
import { parseStoredBlock } from "../../../src/content/markdown/stored_block.ts";
import { toRichText } from "../../../src/content/values/rich_text.ts";
import { assertEquals } from "../../assert.ts";
import { richText } from "../arbitraries.ts";
import { drafted } from "../blocks_helpers.ts";
import { blockTree } from "../block_arbitraries.ts";

Deno.test("parseStoredBlock() returns the same as JSON.parse() for any stored block", () => {
  fc.assert(fc.property(blockTree, (blocks) => {
    for (const { doc } of drafted(blocks)) assertEquals(parseStoredBlock(doc), JSON.parse(doc));
  }));
});

const text = fc.oneof(fc.constantFrom("", "a", '"', "\\", "},", "]}", "\n", "é中😀"), fc.string());
const item = fc.record({
  type: fc.constantFrom("text", "equation"),
  text: fc.record({ content: text, link: fc.option(fc.record({ url: text })) }),
  annotations: fc.record({
    bold: fc.boolean(),
    italic: fc.constant(false),
    strikethrough: fc.constant(false),
    underline: fc.constant(false),
    code: fc.constant(false),
    color: fc.constantFrom("default", "red"),
  }),
  plain_text: text,
  href: fc.option(text),
});

Deno.test("parseStoredBlock() does not assume that the fields of a text agree", () => {
  const rich_text = fc.oneof(fc.array(item), richText.map(toRichText));
  const value = fc.record(
    { rich_text, color: fc.constant("default"), caption: rich_text, checked: fc.boolean() },
    { requiredKeys: ["rich_text"] },
  );
  fc.assert(
    fc.property(value, (value) => {
      const doc = JSON.stringify(value);
      assertEquals(parseStoredBlock(doc), JSON.parse(doc));
    }),
    { numRuns: 2_000 },
  );
});
