import fc from "fast-check";
import type { BlockInput } from "../../../src/content/blocks/mod.ts";
import type { RichTextInput } from "../../../src/content/values/rich_text.ts";
import { readMarkdown } from "../../../src/content/markdown/read_markdown.ts";
import { assert, assertEquals } from "../../assert.ts";
import { outlines, printed, printedEnhanced, read, returned } from "./support.ts";

/** Characters with a special meaning in Markdown, HTML or Unicode. */
const NASTY = [
  ..."*_`~#+-=>|<[](){}!\\&:;.\"'^$@%/?",
  ..." \t\u00a0\u2003\u200b\u200d\u200e\u200f\u202e\ufeff\u2028\u00ad",
  ...["\n", "\r", "\r\n", "\n\n", "  \n", "\\\n"],
  ...["a", "Z", "0", "é", "中", "ב", "ش", "🚀", "👩🏽‍🚒", "🇫🇷", "e\u0301", "word", "two words"],
  ...["*a*", "**a**", "_a_", "__a__", "~~a~~", "~a~", "`a`", "``a``", "$a$", "$$a$$", "***a***"],
  ...[
    "# x",
    "## x",
    "#",
    "1. y",
    "1) y",
    "12.",
    "- z",
    "+ z",
    "* z",
    "> q",
    "---",
    "***",
    "===",
    "___",
  ],
  ...[
    "```",
    "~~~",
    "```js",
    "$$",
    "| a | b |",
    "|-|-|",
    "| - |",
    ":-:",
    "[ ] t",
    "[x] t",
    "    code",
  ],
  ...[
    "<b>",
    "</b>",
    "<br>",
    "<br/>",
    "<!-- -->",
    "<!-- a",
    "-->",
    "<?a?>",
    "<![CDATA[",
    "<!A>",
    "<u>",
  ],
  ...[
    "</u>",
    '<span data-color="red">',
    "</span>",
    "<div>",
    "<details>",
    "<summary>",
    "</details>",
  ],
  ...['<div data-block="column">', "</div>", "<script>", "<a@b.c>", "<http://a.b>"],
  ...["[x]", "[x](y)", "[x][y]", "[x]: y", "![x](y)", "[^1]", "[^1]: a", '[a](b "mention")'],
  ...["&amp;", "&lt;", "&#35;", "&#x23;", "&nbsp;", "&", "&a", "\\*", "\\\\", "\\", "\\|", "\\`"],
  ...[
    "http://a.b",
    "https://a.b/c_d_e",
    "www.a.b",
    "a@b.c",
    "mailto:a@b.c",
    "a_b_c",
    "2*3*4",
    "a:b",
  ],
];

const nastyText = fc.array(fc.constantFrom(...NASTY), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.join(""));

type Place = (rich_text: RichTextInput) => BlockInput;

/** Every context that a text can occur in. */
const PLACES: Readonly<Record<string, Place>> = {
  "a paragraph": (rich_text) => ({ paragraph: { rich_text } }),
  "a first heading": (rich_text) => ({ heading_1: { rich_text } }),
  "a third heading": (rich_text) => ({ heading_3: { rich_text } }),
  "a heading that opens": (rich_text) => ({ heading_2: { rich_text, is_toggleable: true } }),
  "a bullet": (rich_text) => ({ bulleted_list_item: { rich_text } }),
  "a number": (rich_text) => ({ numbered_list_item: { rich_text } }),
  "a task": (rich_text) => ({ to_do: { rich_text } }),
  "a quote": (rich_text) => ({ quote: { rich_text } }),
  "a toggle": (rich_text) => ({ toggle: { rich_text } }),
  "a callout": (rich_text) => ({ callout: { rich_text } }),
  "a cell": (rich_text) => ({ table: tableOf([[rich_text, rich_text], [rich_text, rich_text]]) }),
  "a bullet in a quote in a bullet": (rich_text) => ({
    bulleted_list_item: {
      rich_text,
      children: [{ quote: { rich_text, children: [{ bulleted_list_item: { rich_text } }] } }],
    },
  }),
  "a bullet below a bullet": (rich_text) => ({
    bulleted_list_item: { rich_text, children: [{ numbered_list_item: { rich_text } }] },
  }),
  "a paragraph in a paragraph": (rich_text) => ({
    paragraph: { rich_text, children: [{ paragraph: { rich_text } }] },
  }),
  "a caption of a bookmark": (caption) => ({ bookmark: { url: "http://example.test", caption } }),
  "code": (rich_text) => ({ code: { rich_text, language: "rust" } }),
};

function tableOf(rows: readonly (readonly RichTextInput[])[]): NonNullable<BlockInput["table"]> {
  return {
    table_width: 2,
    has_column_header: true,
    children: rows.map((cells) => ({ table_row: { cells } })),
  };
}

for (const [place, toBlock] of Object.entries(PLACES)) {
  Deno.test(`any text in ${place} is read back unchanged`, async () => {
    const property = fc.asyncProperty(
      fc.array(nastyText, { minLength: 1, maxLength: 3 }),
      async (texts) => {
        const blocks = texts.map((content) => toBlock([{ text: { content } }]));
        assertEquals(outlines(await returned(blocks)), outlines(blocks), await printed(blocks));
      },
    );
    await fc.assert(property, {
      numRuns: 200,
      examples: [...NASTY, ...NASTY.map((text) => `a${text}b`)].map((text) => [[text, text]]),
    });
  });
}

interface Variant {
  readonly print: (blocks: readonly BlockInput[]) => Promise<string>;
  readonly read: (markdown: string) => readonly BlockInput[];
}

const VARIANTS: Readonly<Record<string, Variant>> = {
  CommonMark: { print: printed, read },
  enhanced: {
    print: printedEnhanced,
    read: (markdown) => readMarkdown(markdown, "enhanced").blocks,
  },
};

const flag = fc.boolean();
const annotations = fc.record({ bold: flag, italic: flag, underline: flag, code: flag }, {
  requiredKeys: [],
});
const link = fc.constantFrom(null, { url: "http://a.test" });
const USER = { mention: { user: { id: "11112222-3333-4444-5555-666677778888" } } };
const nastyItem: fc.Arbitrary<RichTextInput[number]> = fc.oneof(
  fc.record({ text: fc.record({ content: nastyText }) }),
  fc.record({ text: fc.record({ content: nastyText, link }), annotations }),
  fc.record({ equation: fc.record({ expression: nastyText }) }),
  fc.constantFrom(USER, { mention: { date: { start: "2024-01-02" } } }),
);

const IN_CAPTIONS: Readonly<Record<string, Place>> = {
  "a caption of code": (caption) => ({ code: { rich_text: [], language: "rust", caption } }),
  "a caption of an image": (caption) => ({
    image: { external: { url: "http://example.test" }, caption },
  }),
};

/** Items that would be read as something else if each were printed alone. */
const NEIGHBOURS: readonly RichTextInput[] = [
  [{ equation: { expression: "x" } }, { text: { content: "0" } }],
  [{ equation: { expression: "x" } }, { equation: { expression: "y" } }],
  [{ equation: { expression: "a$b" } }],
  [{ equation: { expression: "```" } }],
  [{ equation: { expression: "`x`" } }],
  [{ equation: { expression: "\n\nx" } }],
  [{ equation: { expression: "| a | b |" } }],
  [{ text: { content: "!" } }, { text: { content: "a", link: { url: "http://a.test" } } }],
  [{ text: { content: "www" } }, { text: { content: ".a" } }],
  [{ text: { content: "http:" } }, { text: { content: "//a.test" } }],
  [{ text: { content: "www.!" } }, { text: { content: "~!" } }],
  [{ text: { content: "_www.a" } }],
  [{ text: { content: "<+a@b>" } }],
  [{ text: { content: "```!" }, annotations: { code: true } }],
  [USER, USER],
];

for (const [variant, { print, read }] of Object.entries(VARIANTS)) {
  Deno.test(`any texts, formulas and mentions side by side are read back from ${variant} Markdown`, async () => {
    const places = Object.values({ ...PLACES, ...IN_CAPTIONS });
    const property = fc.asyncProperty(
      fc.constantFrom(...places),
      fc.array(nastyItem, { maxLength: 4 }),
      async (toBlock, items) => {
        const blocks = [toBlock(items), { divider: {} }, toBlock(items)];
        const markdown = await print(blocks);
        assertEquals(outlines(read(markdown)), outlines(blocks), markdown);
      },
    );
    await fc.assert(property, {
      numRuns: 500,
      examples: NEIGHBOURS.flatMap((items) =>
        places.map((place): [Place, RichTextInput] => [place, items])
      ),
    });
  });
}

for (const [variant, { print, read }] of Object.entries(VARIANTS)) {
  Deno.test(`a query can be copied out of ${variant} Markdown, and references in it are read back`, async () => {
    const plain = ["https://a.b/?c=1&d=2", "https://a.b/?c=1&copy=2&", "https://a.b/?&lt"];
    const risky = ["https://a.b/?c=1&copy;=2", "https://a.b/?c=1&#38;d=2", "https://a.b/?&#x26;"];
    for (const url of [...plain, ...risky]) {
      const markdown = await print([
        { paragraph: { rich_text: [{ text: { content: "link", link: { url } } }] } },
        { image: { type: "external", external: { url } } },
      ]);
      if (plain.includes(url)) assertEquals(markdown.split(`](${url})`).length, 3, markdown);
      for (const block of read(markdown)) {
        assert(JSON.stringify(block).includes(JSON.stringify(url)), markdown);
      }
    }
  });
}
