import { assertEquals } from "../assert.ts";
import { read } from "./blocks_samples.ts";
import { runInCopy } from "./changed_copy.ts";

/** Blocks that the service does not have: a hint with a level, a ruler, and a map at a URL. */
const BLOCK_TYPES = `
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
const USE_OF_BLOCKS = `
import { withApp } from "./tests/support/app.ts";
import { newPage, refusal, succeed, text, treeOf } from "./tests/api/driver.ts";

await withApp(async (app) => {
  const children = [
    { hint: { rich_text: text("Hi"), level: "high", children: [{ ruler: {} }] } },
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

const MARKDOWN = [
  '<div data-block="hint" data-level="high">',
  "Hi",
  '<div data-block="ruler"></div>',
  "</div>",
  '<div data-block="ruler" data-level="high"></div>',
  '[https://example.com/map](https://example.com/map "map")',
].join("\n\n") + "\n";

/** The file of a property type that the service does not have: stars from 1 to 5. */
const RATING = `
import * as v from "valibot";
import { EMPTY, numberCell } from "../../schema/cells.ts";
import { propertyKind } from "../property_kind.ts";
import { numberCells, whole } from "../shared/collect.ts";
import { NO_CONFIG } from "../shared/no_config.ts";
import { numbers } from "../shared/operators.ts";

const stars = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(5));

export const rating = propertyKind({
  config: NO_CONFIG,
  input: v.nullable(stars),
  output: v.nullable(v.number()),
  toStored: (given) => given ?? undefined,
  toRead: (stored) => stored ?? null,
  emptyCell: EMPTY,
  cell: numberCell,
  conditions: { operators: numbers },
  formula: { type: "number", value: (read) => read },
  collect: { parts: whole((read) => read), cells: numberCells },
  fromYaml: (value) => v.is(stars, value) ? value : undefined,
});
`;

/** Uses the property type through the API and prints what the responses say. */
const USE_OF_PROPERTY = `
import { withApp } from "./tests/support/app.ts";
import { succeed } from "./tests/api/driver.ts";

await withApp(async (app) => {
  const database = await succeed(app, "POST /v2/databases", {
    body: {
      parent: { workspace: true },
      properties: {
        Name: { title: {} },
        Stars: { rating: {} },
        Twice: { formula: { expression: 'prop("Stars") * 2' } },
      },
    },
  });
  const add = (members: object) =>
    succeed(app, "POST /v2/pages", { body: { parent, properties: {}, ...members } });
  const parent = { database_id: database.id };
  await add({ properties: { Stars: { rating: 2 } } });
  await add({ markdown: "---\\nStars: 5\\n---\\n" });
  const { results } = await succeed(app, "POST /v2/databases/" + database.id + "/query", {
    body: {
      filter: { property: "Stars", rating: { greater_than: 1 } },
      sorts: [{ property: "Stars", direction: "descending" }],
    },
  });
  console.log(JSON.stringify(results.map(({ properties: { Stars, Twice } }: typeof results[number]) =>
    [Stars.type, Stars.rating, Twice.formula.number]
  )));
});
`;

Deno.test("a type of blocks or properties is added by one entry, and a field by its definition", async () => {
  const blocks = [
    {
      type: "hint",
      value: { rich_text: read, color: "default", level: "high" },
      children: [{ type: "ruler", value: { level: "low" }, children: [] }],
    },
    { type: "ruler", value: { level: "high" }, children: [] },
    { type: "map", value: { url: "https://example.com/map", caption: [] }, children: [] },
  ];
  const [ofBlocks, ofProperty] = await runInCopy({
    added: { "properties/types/rating.ts": RATING },
    changed: {
      "blocks/fields.ts": [["export const flag =", LEVEL.trimStart()]],
      "blocks/types.ts": [
        ["} satisfies Readonly<Record<string, BlockSpec>>;\n", BLOCK_TYPES.trimStart()],
        ["  language,\n", "  language,\n  level,\n"],
      ],
      "properties/registry.ts": [
        ["  verification,\n}", "  verification,\n  rating,\n}"],
        ["import { relation }", 'import { rating } from "./types/rating.ts";\nimport { relation }'],
      ],
    },
    scripts: [USE_OF_BLOCKS, USE_OF_PROPERTY],
  });
  assertEquals(ofBlocks, {
    blocks,
    markdown: MARKDOWN,
    copy: blocks,
    level: "low",
    invalid: [400, "validation_error"],
  });
  assertEquals(ofProperty, [["rating", 5, 10], ["rating", 2, 4]]);
});
