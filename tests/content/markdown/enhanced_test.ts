import fc from "fast-check";
import * as v from "valibot";
import {
  blockChildrenInput,
  type BlockInput,
  blockIssues,
} from "../../../src/content/blocks/mod.ts";
import { isEnhanced } from "../../../src/content/markdown/enhanced/detect.ts";
import { readMarkdown } from "../../../src/content/markdown/read_markdown.ts";
import { assert, assertEquals } from "../../assert.ts";
import { blockTree } from "../block_arbitraries.ts";
import { outlines, printed, printedEnhanced } from "./support.ts";

const ID = "11112222-3333-4444-5555-666677778888";
const URL = `https://recto.test/v2/pages/${ID.replaceAll("-", "")}`;
const plain = (content: string) => [{ text: { content } }];
const styled = (content: string, annotations: object) => [{ text: { content }, annotations }];
const text = (content: string): BlockInput => ({ paragraph: { rich_text: plain(content) } });

function readEnhanced(markdown: string): readonly BlockInput[] {
  return readMarkdown(markdown, "enhanced").blocks;
}

/** Each construct of the format, a text of it, and what it reads as. */
const CONSTRUCTS: readonly (readonly [name: string, markdown: string, blocks: object[]])[] = [
  ["a paragraph with a color", 'Text {color="red"}\n', [
    { paragraph: { color: "red", rich_text: plain("Text") } },
  ]],
  ["children of a paragraph", "Text\n\tChild\n", [
    { paragraph: { rich_text: plain("Text"), children: [text("Child")] } },
  ]],
  ["a heading 1", '# One {color="blue_bg"}\n', [
    { heading_1: { color: "blue_background", rich_text: plain("One") } },
  ]],
  ["a heading 2", "## Two\n", [{ heading_2: { rich_text: plain("Two") } }]],
  ["a heading 3", "### Three\n", [{ heading_3: { rich_text: plain("Three") } }]],
  ["a toggle heading", '# One {toggle="true" color="red"}\n\tInside\n', [
    {
      heading_1: {
        color: "red",
        is_toggleable: true,
        rich_text: plain("One"),
        children: [text("Inside")],
      },
    },
  ]],
  ["a bulleted list item", '- Item {color="red"}\n\tChild\n', [
    { bulleted_list_item: { color: "red", rich_text: plain("Item"), children: [text("Child")] } },
  ]],
  ["numbered list items", "1. One\n\tChild\n2. Two\n", [
    { numbered_list_item: { rich_text: plain("One"), children: [text("Child")] } },
    { numbered_list_item: { rich_text: plain("Two") } },
  ]],
  ["to-dos", '- [ ] Open {color="red"}\n- [x] Done\n\tChild\n', [
    { to_do: { color: "red", checked: false, rich_text: plain("Open") } },
    { to_do: { checked: true, rich_text: plain("Done"), children: [text("Child")] } },
  ]],
  ["a quote of several lines", '> One<br>Two {color="red"}\n\tChild\n', [
    { quote: { color: "red", rich_text: plain("One\nTwo"), children: [text("Child")] } },
  ]],
  ["neighbouring quotes", "> One\n> Two\n", [
    { quote: { rich_text: plain("One") } },
    { quote: { rich_text: plain("Two") } },
  ]],
  ["a toggle", '<details color="red">\n<summary>Title</summary>\n\tChild\n</details>\n', [
    { toggle: { color: "red", rich_text: plain("Title"), children: [text("Child")] } },
  ]],
  ["a callout", '<callout icon="💡" color="blue_bg">\n\tText\n\tMore\n</callout>\n', [
    {
      callout: {
        color: "blue_background",
        icon: { emoji: "💡" },
        rich_text: plain("Text"),
        children: [text("More")],
      },
    },
  ]],
  ["code", "```javascript\nlet a;\n\tb {}\n```\n", [
    { code: { rich_text: plain("let a;\n\tb {}"), language: "javascript" } },
  ]],
  ["a diagram", "```mermaid\ngraph TD\n```\n", [
    { code: { rich_text: plain("graph TD"), language: "mermaid" } },
  ]],
  ["code in a language of two words", "```plain text\na\n```\n", [
    { code: { rich_text: plain("a"), language: "plain text" } },
  ]],
  ["an equation", "$$\nx^2\n$$\n", [{ equation: { expression: "x^2" } }]],
  [
    "a table",
    '<table header-row="true" header-column="true">\n<tr>\n<td>A</td>\n<td>**B**<br>c</td>\n</tr>\n</table>\n',
    [{
      table: {
        table_width: 2,
        has_column_header: true,
        has_row_header: true,
        children: [{
          table_row: { cells: [plain("A"), [...styled("B", { bold: true }), ...plain("\nc")]] },
        }],
      },
    }],
  ],
  ["a divider", "a\n---\n", [text("a"), { divider: {} }]],
  ["an empty line", "<empty-block/>\n", [{ paragraph: { rich_text: [] } }]],
  [
    "columns",
    "<columns>\n\t<column>\n\t\tLeft\n\t</column>\n\t<column>\n\t\tRight\n\t</column>\n</columns>\n",
    [{
      column_list: {
        children: [{ column: { children: [text("Left")] } }, {
          column: { children: [text("Right")] },
        }],
      },
    }],
  ],
  ["an image", "![Caption](https://e.test/a.png)\n", [
    { image: { external: { url: "https://e.test/a.png" }, caption: plain("Caption") } },
  ]],
  ...["audio", "video", "pdf", "file"].map((type) =>
    [
      `${type === "audio" ? "an" : "a"} ${type}`,
      `<${type} src="https://e.test/a">Caption</${type}>\n`,
      [
        { [type]: { external: { url: "https://e.test/a" }, caption: plain("Caption") } },
      ],
    ] as const
  ).map(([name, markdown, blocks]): [string, string, object[]] => [name, markdown, [...blocks]]),
  ["a page", `<page url="${URL}">Untitled</page>\n`, [{ link_to_page: { page_id: ID } }]],
  [
    "a database",
    `<database url="${URL.replace("pages", "databases")}">Untitled</database>\n`,
    [{ link_to_page: { database_id: ID } }],
  ],
  ["a table of contents", '<table_of_contents color="red"/>\n', [
    { table_of_contents: { color: "red" } },
  ]],
  [
    "a copy of a synced block",
    `<synced_block_reference url="${URL.replace("pages", "blocks")}">\n</synced_block_reference>\n`,
    [{ synced_block: { synced_from: { block_id: ID } } }],
  ],
  ["bold, italic and struck text", "**bold** *italic* ~~struck~~\n", [{
    paragraph: {
      rich_text: [
        ...styled("bold", { bold: true }),
        ...plain(" "),
        ...styled("italic", { italic: true }),
        ...plain(" "),
        ...styled("struck", { strikethrough: true }),
      ],
    },
  }]],
  ["underlined text", '<span underline="true">text</span>\n', [
    { paragraph: { rich_text: styled("text", { underline: true }) } },
  ]],
  ["inline code", "`a * b`\n", [{ paragraph: { rich_text: styled("a * b", { code: true }) } }]],
  ["a link", "[text](https://e.test/a)\n", [{
    paragraph: { rich_text: [{ text: { content: "text", link: { url: "https://e.test/a" } } }] },
  }]],
  ["an inline equation", "$`x $ 5`$\n".replace(" $ ", " + "), [
    { paragraph: { rich_text: [{ equation: { expression: "x + 5" } }] } },
  ]],
  ["a line break", "One<br>Two\n", [text("One\nTwo")]],
  ["a text color", '<span color="red">a</span><span color="blue_bg">b</span>\n', [{
    paragraph: {
      rich_text: [...styled("a", { color: "red" }), ...styled("b", { color: "blue_background" })],
    },
  }]],
  [
    "a mentioned user",
    `<mention-user url="${URL.replace("pages", "users")}">Anonymous</mention-user>\n`,
    [{ paragraph: { rich_text: [{ mention: { user: { id: ID } } }] } }],
  ],
  ["a mentioned page", `<mention-page url="${URL}">Untitled</mention-page>\n`, [
    { paragraph: { rich_text: [{ mention: { page: { id: ID } } }] } },
  ]],
  [
    "a mentioned database",
    `<mention-database url="${URL.replace("pages", "databases")}">Untitled</mention-database>\n`,
    [{ paragraph: { rich_text: [{ mention: { database: { id: ID } } }] } }],
  ],
  ["a mentioned day", '<mention-date start="2024-01-02" end="2024-01-03"/>\n', [
    {
      paragraph: {
        rich_text: [{ mention: { date: { start: "2024-01-02", end: "2024-01-03" } } }],
      },
    },
  ]],
  [
    "a mentioned time",
    '<mention-date start="2024-01-02" startTime="10:00" timeZone="UTC"/>\n',
    [{
      paragraph: {
        rich_text: [{ mention: { date: { start: "2024-01-02T10:00", time_zone: "UTC" } } }],
      },
    }],
  ],
  ["escaped characters", "\\*a\\* \\[b\\] \\{c\\} \\$5\n", [text("*a* [b] {c} $5")]],
  ["a custom emoji as text", ":smile:\n".replace(":s", "\\:s"), [text(":smile:")]],
];

for (const [name, markdown, blocks] of CONSTRUCTS) {
  Deno.test(`enhanced Markdown has ${name}, read and written`, async () => {
    const read = readEnhanced(markdown);
    assertEquals<unknown>(read, blocks);
    assertEquals(await printedEnhanced(read), markdown);
  });
}

/** Constructs in other forms than the one that is written. */
const OTHER_FORMS: readonly (readonly [name: string, markdown: string, same: string])[] = [
  [
    "a callout between colons",
    '::: callout {icon="💡"}\nText\n:::\n',
    '<callout icon="💡">\n\tText\n</callout>\n',
  ],
  ["a heading 4", "#### Four\n", "### Four\n"],
  [
    "a table with pipes",
    "| a | b |\n|---|---|\n| 1 | 2 |\n",
    '<table header-row="true">\n<tr>\n<td>a</td>\n<td>b</td>\n</tr>\n<tr>\n<td>1</td>\n<td>2</td>\n</tr>\n</table>\n',
  ],
  ["a formula between dollar signs", "$x$\n", "$`x`$\n"],
  [
    "a mention without a name",
    `<mention-page url="${URL}"/>\n`,
    `<mention-page url="${URL}">Untitled</mention-page>\n`,
  ],
  ["a citation", "[^https://e.test/a]\n", "[https\\://e.test/a](https://e.test/a)\n"],
  [
    "a summary in the line of its toggle",
    "<details><summary>A</summary>\n\tb\n</details>\n",
    "<details>\n<summary>A</summary>\n\tb\n</details>\n",
  ],
  [
    "a toggle in one line",
    "<details><summary>A</summary>b</details>\n",
    "<details>\n<summary>A</summary>\n\tb\n</details>\n",
  ],
  ["an unknown block", `a\n<unknown url="${URL}" alt="bookmark"/>\nb\n`, "a\nb\n"],
  ["two spaces as indentation", "- a\n  - b\n    - c\n", "- a\n\t- b\n\t\t- c\n"],
  [
    "colors of rows and columns",
    '<table>\n<colgroup>\n<col color="red">\n<col>\n</colgroup>\n<tr>\n<td>A</td>\n<td color="blue">B</td>\n</tr>\n</table>\n',
    '<table>\n<tr>\n<td><span color="red">A</span></td>\n<td><span color="blue">B</span></td>\n</tr>\n</table>\n',
  ],
  [
    "an original of a synced block",
    "<synced_block>\n\tchild\n</synced_block>\n",
    '<synced_block url="…">\n\tchild\n</synced_block>\n',
  ],
];

for (const [name, markdown, same] of OTHER_FORMS) {
  Deno.test(`enhanced Markdown has ${name}, too`, async () => {
    const again = await printedEnhanced(readEnhanced(markdown));
    assertEquals(again.replace(/<synced_block url="[^"]*">/, '<synced_block url="…">'), same);
  });
}

const SPACES = [" ", "  ", "\t", "\v", "\f", "\u00A0", "\u2003", "\u2028", "\u2029", "\u3000"];

Deno.test("enhanced Markdown keeps white space at the edges and inside of text and code", async () => {
  for (const space of SPACES) {
    for (const content of [space, `${space}a`, `a${space}`, `a${space}${space}b`]) {
      for (const annotations of [{}, { code: true }, { bold: true }]) {
        const richText = [{ text: { content }, annotations }];
        const blocks: readonly BlockInput[] = [
          { paragraph: { rich_text: richText } },
          { heading_1: { rich_text: richText } },
          { toggle: { rich_text: richText } },
          {
            table: { table_width: 1, children: [{ table_row: { cells: [richText] } }] },
          },
        ];
        const markdown = await printedEnhanced(blocks);
        assertEquals(outlines(readEnhanced(markdown)), outlines(blocks), markdown);
      }
    }
  }
});

Deno.test("formulas beside a mention without a name stay apart in enhanced Markdown", async () => {
  const formula = { equation: { expression: "x" } };
  const nameless = { mention: { custom_emoji: { id: ID } } };
  const blocks = [{ paragraph: { rich_text: [formula, nameless, formula] } }];
  assertEquals(outlines(readEnhanced(await printedEnhanced(blocks))), outlines(blocks));
});

Deno.test("any tree of blocks is read back from enhanced Markdown with its text and nesting", async () => {
  await fc.assert(
    fc.asyncProperty(blockTree, async (blocks) => {
      const markdown = await printedEnhanced(blocks);
      assertEquals(outlines(readEnhanced(markdown)), outlines(blocks), markdown);
    }),
    { numRuns: 200 },
  );
});

Deno.test("any lines are read as valid blocks, and printed again are stable", async () => {
  const line = fc.constantFrom(
    ...[
      "",
      "a",
      "\ta",
      "\t\tb",
      "# a",
      "- a",
      "1. a",
      "> a",
      "```",
      "$$",
      "---",
      "| a | b |",
      "|-|-|",
    ],
    ...[
      "<details>",
      "</details>",
      "<summary>a</summary>",
      "<callout>",
      "</callout>",
      ":::",
      "::: callout",
    ],
    ...[
      "<columns>",
      "</columns>",
      "<column>",
      "</column>",
      "<table>",
      "</table>",
      "<tr><td>a</td></tr>",
    ],
    ...[
      "<synced_block>",
      "</synced_block>",
      `<synced_block_reference url="${URL}">`,
      "</synced_block_reference>",
    ],
    ...[
      "<empty-block/>",
      '<video src="x">',
      '<pdf src="x">a</pdf>',
      '# b {toggle="true"}',
      '{color="red"}',
    ],
  );
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 20 }), async (lines) => {
      const blocks = readEnhanced(lines.join("\n"));
      v.assert(blockChildrenInput, blocks);
      assertEquals(blockIssues(blocks, ""), []);
      const markdown = await printedEnhanced(blocks);
      assertEquals(await printedEnhanced(readEnhanced(markdown)), markdown);
    }),
    { numRuns: 500 },
  );
});

Deno.test("a text is enhanced Markdown if it has one of its constructs outside of code", () => {
  for (
    const [name, markdown] of CONSTRUCTS.filter(([name]) =>
      /callout|with a color|contents|empty|columns|toggle h|mentioned/.test(name)
    )
  ) {
    assert(isEnhanced(markdown), name);
    assert(!isEnhanced(`\`\`\`\`\n${markdown}\`\`\`\`\n`), name);
  }
  for (
    const markdown of [
      "# A\n\ntext\nmore\n",
      "- a\n\t- b\n",
      "a\n\n\tcode\n",
      "```go\nfunc a() {\n\tb()\n}\n```\n",
      '<video src="a.mp4"></video>\n',
      "Use {curly}\n",
    ]
  ) {
    assert(!isEnhanced(markdown), markdown);
  }
});

Deno.test("what is printed as CommonMark is never taken for enhanced Markdown", async () => {
  await fc.assert(
    fc.asyncProperty(blockTree, async (blocks) => {
      assert(!isEnhanced(await printed(blocks)));
    }),
    { numRuns: 200 },
  );
  const texts = CONSTRUCTS.map(([, markdown]) => text(markdown.trim()));
  assert(!isEnhanced(await printed(texts)), await printed(texts));
});
