import fc from "fast-check";
import * as v from "valibot";
import { blockChildrenInput, blockIssues } from "../../../src/content/blocks/mod.ts";
import { assert, assertEquals } from "../../assert.ts";
import { blockTree } from "../block_arbitraries.ts";
import { outlines, printed, read, returned } from "./support.ts";

Deno.test("any tree of blocks is read back with its text, order and nesting", async () => {
  await fc.assert(
    fc.asyncProperty(blockTree, async (blocks) => {
      assertEquals(outlines(await returned(blocks)), outlines(blocks), await printed(blocks));
    }),
    { numRuns: 300 },
  );
});

const line = fc.constantFrom(
  ...[
    "",
    "a",
    "# a",
    "- a",
    "  - b",
    "1. a",
    "- [ ] a",
    "> a",
    "> - a",
    "```",
    "    a",
    "***",
    "a\n===",
  ],
  ...[
    "| a | b |\n|---|---|\n| c |",
    "|a|\n|-|",
    "$$",
    "![a](b)",
    '[a](b "bookmark")',
    "[^1]: a",
    "[a]: b",
  ],
  ...["<details>", "</details>", "<summary>", "</summary>", "<br>", "<!-- -->", "<div>", "</div>"],
  ...[
    '<div data-block="column_list">',
    '<div data-block="column">',
    '<div data-block="paragraph">',
  ],
  ...[
    '<div data-block="synced_block" data-from="x"></div>',
    '<div data-block="unsupported"></div>',
  ],
  ...[
    '<aside data-icon="x">',
    '<aside data-icon="🚀">',
    "</aside>",
    '<div data-block="column_list"></div>',
  ],
  ...[
    '[a](https://a.b/v2/pages/x "link_to_page")',
    '[a](b "file: c")',
    '[a](b "mention")',
    "\t",
    "\f",
  ],
);

Deno.test("any Markdown becomes blocks that a client can write", async () => {
  await fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), fc.boolean(), (lines, isLoose) => {
      const blocks = read(lines.join(isLoose ? "\n\n" : "\n"));
      assert(v.is(blockChildrenInput, blocks), JSON.stringify(blocks));
      assertEquals(blockIssues(blocks, ""), []);
    }),
    { numRuns: 1_000 },
  );
});

Deno.test("printing any Markdown again gives the same text", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 12 }), async (lines) => {
      const text = await printed(read(lines.join("\n\n")));
      assertEquals(await printed(read(text)), text);
    }),
    { numRuns: 500 },
  );
});
