import { assertEquals } from "../assert.ts";
import { runInCopy } from "./changed_copy.ts";

/** Blocks that the service does not have: a hint with a level, a ruler, and a map at a URL. */
const TYPES = `
  hint: { fields: { rich_text: text, color: blockColor, level }, children: "any" },
  ruler: { fields: { level }, children: "none" },
  map: { fields: { url, caption }, children: "none" },
} satisfies Readonly<Record<string, BlockSpec>>;
`;

const LEVEL = `
const levelName = v.picklist(["low", "high"]);
export const level = field({
  input: levelName,
  output: levelName,
  initial: "low",
  attribute: "level",
});

export const flag =`;

/** Creates the blocks, reads them, and creates a page with the Markdown of the first page. */
const SCRIPT = `
import { withApp } from "./tests/support/app.ts";
import { newPage, refusal, succeed, text, treeOf } from "./tests/api/driver.ts";

await withApp(async (app) => {
  const children = [
    { hint: { rich_text: text("Look"), level: "high", children: [{ ruler: {} }] } },
    { ruler: { level: "high" } },
    { map: { url: "https://example.com/map" } },
  ];
  const page = await newPage(app, { children });
  const blocks = await treeOf(app, page);
  const { markdown } = await succeed(app, "GET /v2/pages/" + page + "/content/markdown");
  const body = { parent: { workspace: true }, properties: { title: text("Copy") }, markdown };
  const copy = await treeOf(app, (await succeed(app, "POST /v2/pages", { body })).id);
  const [{ id }] = (await succeed(app, "GET /v2/blocks/" + page + "/children")).results;
  const { hint } = await succeed(app, "PATCH /v2/blocks/" + id, {
    body: { hint: { level: "low" } },
  });
  const invalid = await app.call("PATCH /v2/blocks/" + id, { body: { hint: { level: "none" } } });
  console.log(JSON.stringify({
    blocks,
    markdown,
    copy,
    level: hint.level,
    invalid: refusal(invalid),
  }));
});
`;

const TEXT = {
  type: "text",
  text: { content: "Look", link: null },
  annotations: {
    bold: false,
    italic: false,
    strikethrough: false,
    underline: false,
    code: false,
    color: "default",
  },
  plain_text: "Look",
  href: null,
};

const MARKDOWN = [
  '<div data-block="hint" data-level="high">',
  "Look",
  '<div data-block="ruler"></div>',
  "</div>",
  '<div data-block="ruler" data-level="high"></div>',
  '[https://example.com/map](https://example.com/map "map")',
].join("\n\n") + "\n";

Deno.test("a block type is added by its entry in the table, and a field by its definition", async () => {
  const blocks = [
    {
      type: "hint",
      value: { rich_text: [TEXT], color: "default", level: "high" },
      children: [{ type: "ruler", value: { level: "low" }, children: [] }],
    },
    { type: "ruler", value: { level: "high" }, children: [] },
    { type: "map", value: { url: "https://example.com/map", caption: [] }, children: [] },
  ];
  const result = await runInCopy({
    changed: {
      "blocks/fields.ts": [["export const flag =", LEVEL.trimStart()]],
      "blocks/types.ts": [
        ["} satisfies Readonly<Record<string, BlockSpec>>;\n", TYPES.trimStart()],
        ["  language,\n", "  language,\n  level,\n"],
      ],
    },
    script: SCRIPT,
  });
  assertEquals(result, {
    blocks,
    markdown: MARKDOWN,
    copy: blocks,
    level: "low",
    invalid: [400, "validation_error"],
  });
});
