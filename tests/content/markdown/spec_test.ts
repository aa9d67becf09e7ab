// The package has no types; each example has these members.
import commonmark from "commonmark-spec";
import type { BlockInput } from "../../../src/content/blocks/mod.ts";
import { fromFlow } from "../../../src/content/markdown/from_flow.ts";
import { parseMarkdown } from "../../../src/content/markdown/parse_markdown.ts";
import { assert, assertEquals } from "../../assert.ts";
import { GFM_EXAMPLES } from "./gfm_examples.ts";
import { normalised } from "./normalisations.ts";
import { printed } from "./support.ts";

interface Example {
  readonly number: number;
  readonly section: string;
  readonly markdown: string;
}

const { tests }: { readonly tests: readonly Example[] } = commonmark;

// Neither specification has front matter.
const parse = (text: string) => parseMarkdown(text, { frontMatter: false });
const blocksOf = (text: string): BlockInput[] => fromFlow(parse(text), text);

const examples = [
  // The specification shows tabs as arrows.
  ...tests.map(({ number, section, markdown }) =>
    [`CommonMark ${number}, ${section}`, markdown.replaceAll("→", "\t")] as const
  ),
  ...GFM_EXAMPLES.map(([number, markdown]) => [`GFM ${number}`, markdown] as const),
];

Deno.test("every example of CommonMark and GFM is read back to the same tree", async () => {
  assert(examples.length > 670);
  for (const [name, markdown] of examples) {
    const again = await printed(blocksOf(markdown));
    assertEquals(normalised(parse(again)), normalised(parse(markdown)), `${name}:\n${again}`);
  }
});

Deno.test("printing every example again gives the same text", async () => {
  for (const [name, markdown] of examples) {
    const again = await printed(blocksOf(markdown));
    assertEquals(await printed(blocksOf(again)), again, name);
  }
});
