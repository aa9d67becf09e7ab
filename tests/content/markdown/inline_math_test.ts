import fc from "fast-check";
import type { BlockInput } from "../../../src/content/blocks/mod.ts";
import { assertEquals } from "../../assert.ts";
import { drafted } from "../blocks_helpers.ts";
import { printed, read, returned } from "./support.ts";

/** The texts of a paragraph, with its formulas in brackets. */
function shown(blocks: readonly BlockInput[]): string {
  return drafted(blocks).map(({ doc }) => {
    const { rich_text = [] }: { rich_text?: { type: string; plain_text: string }[] } = JSON.parse(
      doc,
    );
    return rich_text.map(({ type, plain_text: text }) => type === "equation" ? `[${text}]` : text)
      .join("");
  }).join("\n");
}

Deno.test("prices are text", () => {
  for (
    const text of [
      "It costs $5 and $6.",
      "$5",
      "from $5 to $6, or $7",
      "$20,000 and $30,000",
      "$ a $",
      "$a $",
      "$ a$",
      "$a$1",
      "US$5 and US$6",
    ]
  ) {
    assertEquals(shown(read(text)), text);
    assertEquals(shown(read(`# ${text}`)), text);
  }
});

Deno.test("text between prices keeps its marks, and a formula after a price is read", () => {
  assertEquals(shown(read("$5 and **bold** $6")), "$5 and bold $6");
  assertEquals(shown(read("$5, so $x$ and $y$.")), "$5, so [x] and [y].");
  assertEquals(shown(read("$x$, $a b$, ($y$) $z$a")), "[x], [a b], ([y]) [z]a");
});

Deno.test("a formula between double dollar signs can have any edges and neighbours", () => {
  assertEquals(shown(read("a $$5 and $$6")), "a [5 and ]6");
  assertEquals(shown(read("a $$ x$$ b")), "a [ x] b");
});

const edges = fc.string({ unit: fc.constantFrom(..." $x5\\\t\u00a0"), minLength: 1, maxLength: 5 });
const formula = edges.map((expression) => ({ equation: { expression } }));
const text = fc.string({ unit: fc.constantFrom(..." $5x.\\\n"), minLength: 1, maxLength: 4 })
  .map((content) => ({ text: { content } }));
const bold = text.map((item) => ({ ...item, annotations: { bold: true } }));

Deno.test("formulas with spaces at their edges or digits after them are read back, like prices", async () => {
  const items = fc.array(fc.oneof(formula, text, bold), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(
      items,
      fc.constantFrom("paragraph", "heading_1", "quote"),
      async (rich_text, type) => {
        const blocks = [{ [type]: { rich_text } }];
        const markdown = await printed(blocks);
        assertEquals(shown(await returned(blocks)), shown(blocks), markdown);
        assertEquals(await printed(read(markdown)), markdown);
      },
    ),
    { numRuns: 1_000 },
  );
});

const source = fc.string({ unit: fc.constantFrom(..."$$$ 5ax*.\\`|\n"), maxLength: 14 });

Deno.test("printing any text with dollar signs again gives the same text", async () => {
  await fc.assert(
    fc.asyncProperty(source, async (markdown) => {
      const text = await printed(read(markdown));
      assertEquals(await printed(read(text)), text);
    }),
    { numRuns: 1_000 },
  );
});
