import type { BlockInput } from "../../../src/content/blocks/mod.ts";
import { assert, assertEquals } from "../../assert.ts";
import { drafted } from "../blocks_helpers.ts";
import { outlines, read, rendered } from "./support.ts";

const DIALECTS = ["commonmark", "enhanced"] as const;
const text = (content: string) => ({ rich_text: [{ text: { content } }] });
const code = (content: string): BlockInput => ({
  code: { ...text(content), language: "plain text" },
});

/** A block in as many quotes. */
function quoted(levels: number, inner: BlockInput): BlockInput {
  let block = inner;
  for (let level = 0; level < levels; level++) {
    block = { quote: { ...text("x"), children: [block] } };
  }
  return block;
}

for (const variant of DIALECTS) {
  Deno.test(`Markdown (${variant}) of lines deep in other blocks is not much longer than they are`, async () => {
    const rich_text = Array.from({ length: 10 }, () => ({ text: { content: "\n".repeat(2_000) } }));
    const forms = [
      code("\n".repeat(2_000)),
      { code: { rich_text, language: "plain text" } },
      { paragraph: { rich_text } },
      { equation: { expression: "\n".repeat(1_000) } },
    ] satisfies BlockInput[];
    for (const form of forms) {
      const nodes = drafted([quoted(58, form), quoted(5, code("a\nb"))]);
      const stored = nodes.reduce((sum, { doc }) => sum + doc.length, 0);
      const { parts, unknownIds } = await rendered(nodes, variant);
      const printed = parts.join("");
      assert(printed.length < 2 * stored, `${printed.length} characters of ${stored}`);
      assert(unknownIds.length > 0);
      assertEquals(unknownIds, nodes.slice(59 - unknownIds.length, 59).map(({ id }) => id));
    }
  });
}

Deno.test("Markdown keeps the nesting of ordinary lines", async () => {
  const lines = Array.from({ length: 60 }, (_, index) => `const line = ${index};`);
  const blocks = [quoted(12, code(lines.join("\n"))), quoted(58, code("a\nb"))];
  const { parts, unknownIds } = await rendered(drafted(blocks));
  assertEquals(unknownIds, []);
  assertEquals(outlines(read(parts.join(""))), outlines(blocks));
});
