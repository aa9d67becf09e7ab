/**
 * Random valid trees of blocks, of every type that clients can create.
 *
 * @module
 */
import fc from "fast-check";
import { type BlockInput, CODE_LANGUAGES } from "../../src/content/blocks/mod.ts";
import { color } from "../../src/content/values/colors.ts";
import { anyId, icon, richText } from "./arbitraries.ts";

type Blocks = readonly BlockInput[];

const anyColor = fc.constantFrom(...color.options);
const url = fc.webUrl({ size: "small" });
const caption = fc.record({ caption: richText }, { requiredKeys: [] });
const flag = fc.boolean();

const external = fc.record(
  { type: fc.constant("external" as const), external: fc.record({ url }), caption: richText },
  { requiredKeys: ["external"] },
);

const link = fc.oneof(
  fc.record({ page_id: anyId }),
  fc.record({ type: fc.constant("database_id" as const), database_id: anyId }),
  fc.record({ comment_id: anyId }),
);

const captionedUrl = fc.tuple(fc.record({ url }), caption).map(([url, more]) => ({
  ...url,
  ...more,
}));

const leaf: fc.Arbitrary<BlockInput> = fc.oneof(
  fc.record({
    code: fc.record(
      { rich_text: richText, language: fc.constantFrom(...CODE_LANGUAGES), caption: richText },
      { requiredKeys: ["rich_text", "language"] },
    ),
  }),
  fc.record({ equation: fc.record({ expression: fc.string() }) }),
  fc.constantFrom<BlockInput>({ divider: {} }, { type: "divider", divider: {} }),
  fc.constantFrom<BlockInput>({ breadcrumb: {} }, { object: "block", breadcrumb: {} }),
  fc.record({ table_of_contents: fc.record({ color: anyColor }, { requiredKeys: [] }) }),
  fc.record({ bookmark: captionedUrl }),
  fc.record({ embed: captionedUrl }),
  fc.record({ image: external }),
  fc.record({ video: external }),
  fc.record({ pdf: external }),
  fc.record({ audio: external }),
  fc.tuple(external, fc.record({ name: fc.string() }, { requiredKeys: [] }))
    .map(([media, name]) => ({ file: { ...media, ...name } })),
  fc.record({ link_to_page: link }),
  fc.record({ synced_block: fc.record({ synced_from: fc.record({ block_id: anyId }) }) }),
);

const table: fc.Arbitrary<BlockInput> = fc.integer({ min: 1, max: 4 }).chain((width) => {
  const cells = fc.array(richText, { minLength: width, maxLength: width });
  const rows = fc.array(fc.record({ table_row: fc.record({ cells }) }), {
    minLength: 1,
    maxLength: 3,
  });
  const value = fc.record(
    {
      table_width: fc.constant(width),
      children: rows,
      has_column_header: flag,
      has_row_header: flag,
    },
    { requiredKeys: ["table_width", "children"] },
  );
  return fc.record({ table: value });
});

/** Texts that begin like an alert in Markdown, which random characters would never make. */
const alertText = fc.constantFrom("[!NOTE]", "[!tip]\n", "[!WARNING]\ntext", "[!NOTE] text")
  .map((content) => [{ text: { content } }]);

function textBlocks(children: fc.Arbitrary<Blocks>): fc.Arbitrary<BlockInput> {
  const text = { rich_text: richText, color: anyColor, children };
  const plain = fc.record(text, { requiredKeys: ["rich_text"] });
  const toDo = fc.record({ ...text, checked: flag }, { requiredKeys: ["rich_text"] });
  const callout = fc.record({ ...text, icon }, { requiredKeys: ["rich_text"] });
  return fc.oneof(
    fc.record({ paragraph: plain }),
    fc.record({ bulleted_list_item: plain }),
    fc.record({ numbered_list_item: plain }),
    fc.record({ toggle: plain }),
    fc.record({ quote: plain }),
    fc.record({ quote: fc.record({ rich_text: alertText, children }) }),
    fc.record({ to_do: toDo }),
    fc.record({ callout }),
  );
}

function headings(children: fc.Arbitrary<Blocks>): fc.Arbitrary<BlockInput> {
  const text = { rich_text: richText, color: anyColor };
  const plain = fc.record(text, { requiredKeys: ["rich_text"] });
  const toggleable = fc.record({ ...text, is_toggleable: fc.constant(true), children });
  const heading = fc.oneof(plain, toggleable);
  return fc.oneof(
    fc.record({ heading_1: heading }),
    fc.record({ heading_2: heading }),
    fc.record({ heading_3: heading }),
  );
}

function columns(children: fc.Arbitrary<Blocks>): fc.Arbitrary<BlockInput> {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const filled = children.filter((blocks) => blocks.length > 0);
  const column = fc.record({ width_ratio: share, children: filled }, {
    requiredKeys: ["children"],
  });
  const list = fc.array(fc.record({ column }), { minLength: 2, maxLength: 3 });
  return fc.record({ column_list: fc.record({ children: list }) });
}

function synced(children: fc.Arbitrary<Blocks>): fc.Arbitrary<BlockInput> {
  const original = fc.record(
    { synced_from: fc.constant(null), children: children.map(withoutCopies) },
    { requiredKeys: [] },
  );
  return fc.record({ synced_block: original });
}

/** The same blocks with dividers in place of copies of synced blocks. */
export function withoutCopies(blocks: Blocks): Blocks {
  const text = JSON.stringify(blocks)
    .replace(/\{"synced_block":\{"synced_from":\{"block_id":"[^"]*"\}\}\}/g, '{"divider":{}}');
  return JSON.parse(text) as Blocks;
}

/** Blocks with at most this many levels of descendants. */
function blocksOf(depth: number): fc.Arbitrary<Blocks> {
  const children = depth === 0 ? fc.constant<Blocks>([]) : blocksOf(depth - 1);
  const containers = [textBlocks(children), headings(children), synced(children), table];
  const deep = depth === 0 ? [] : [columns(children)];
  return fc.array(fc.oneof(leaf, ...containers, ...deep), { minLength: 1, maxLength: 3 });
}

/** A valid tree of blocks in a request, up to four levels deep. */
export const blockTree: fc.Arbitrary<Blocks> = blocksOf(3);
