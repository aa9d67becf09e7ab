import fc from "fast-check";
import type { BlockInput } from "../../../src/content/blocks/mod.ts";
import { color } from "../../../src/content/values/colors.ts";
import type { RichText, RichTextInput } from "../../../src/content/values/rich_text.ts";
import { assertEquals } from "../../assert.ts";
import { drafted } from "../blocks_helpers.ts";
import { printed, returned, type Run, runsOf } from "./support.ts";

const TEXTS = ["a", "word", "two words", " ", "  ", " a", "a ", "*", "_", "~", "`", "``", "$", "|"];
const MORE = [
  "\n",
  "(a)",
  '"a"',
  "a.",
  "!",
  "[",
  "]",
  "中",
  "\\",
  "\t",
  "\u00a0",
  "<u>",
  "&amp;",
  "#",
];

const content = fc.oneof(
  fc.constantFrom(...TEXTS, ...MORE),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 10 }),
);
const annotations = fc.record({
  bold: fc.boolean(),
  italic: fc.boolean(),
  strikethrough: fc.boolean(),
  underline: fc.boolean(),
  code: fc.boolean(),
  color: fc.constantFrom(...color.options),
}, { requiredKeys: [] });
const url = fc.constantFrom(
  "http://a.b",
  "https://a.b/c_d(e)",
  "x",
  "a b",
  "a<b>",
  "a\\b",
  "\\",
  "&amp;",
);

const item = fc.oneof(
  fc.record({ text: fc.record({ content }), annotations }),
  fc.record({
    text: fc.record({ content, link: fc.record({ url }) }),
    annotations,
  }),
  fc.record({ equation: fc.record({ expression: content }), annotations }).map((item) => ({
    ...item,
    annotations: { ...item.annotations, code: false },
  })),
);
const richText: fc.Arbitrary<RichTextInput> = fc.array(item, { maxLength: 6 });

/** The styles of a text. A line end has none. */
function looksOf(blocks: readonly BlockInput[]): Run[] {
  const [node] = drafted(blocks);
  const { rich_text: text }: { rich_text: RichText } = JSON.parse(node?.doc ?? "{}");
  const lines = text.flatMap((item) => item.type === "text" ? linesOf(item) : [item]);
  return runsOf(lines);
}

function linesOf(item: RichText[number]): RichText {
  return item.plain_text.split(/(\n)/).map((plain_text) =>
    plain_text === "\n" ? { ...PLAIN, plain_text } : { ...item, plain_text }
  );
}

const PLAIN: RichText[number] = {
  type: "text",
  text: { content: "\n", link: null },
  annotations: {
    bold: false,
    italic: false,
    strikethrough: false,
    underline: false,
    code: false,
    color: "default",
  },
  plain_text: "\n",
  href: null,
};

for (const type of ["paragraph", "heading_2", "to_do"] as const) {
  Deno.test(`the marks, links and formulas of a ${type} are read back`, async () => {
    const property = fc.asyncProperty(richText, async (rich_text) => {
      const blocks = [{ [type]: { rich_text } }];
      assertEquals(looksOf(await returned(blocks)), looksOf(blocks), await printed(blocks));
    });
    await fc.assert(property, { numRuns: 400 });
  });
}
