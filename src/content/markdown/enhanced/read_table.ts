/**
 * Reads tables of enhanced Markdown: tags, or the tables of GFM.
 *
 * @module
 */
import type { BlockInput } from "../../blocks/block_input.ts";
import type { Color } from "../../values/colors.ts";
import { LIMITS } from "../../values/limits.ts";
import type { RichTextInput, RichTextItemInput } from "../../values/rich_text.ts";
import { oneLine } from "../one_line.ts";
import { parseMarkdown } from "../parse_markdown.ts";
import { tableBlock } from "../table_block.ts";
import { codeBlocks } from "../text_blocks.ts";
import { type Attributes, colorIn, parseElement } from "./attributes.ts";
import { readInline } from "./inline.ts";

/** The block of a table between its tags; code if it is too large for a table. */
export function tagTable(attributes: Attributes, source: string): BlockInput[] {
  const columns = [...source.matchAll(/<col\b[^<>]*>/g)].map(([tag]) => colorOf(tag));
  const rows = source.split(/(?=<tr\b)/).filter((row) => row.startsWith("<tr"))
    .map((row) => cellsOf(row, columns));
  const width = Math.max(0, ...rows.map(({ length }) => length));
  if (width === 0 || width > LIMITS.array) return codeBlocks(source, "html");
  return [{
    table: {
      table_width: width,
      has_column_header: attributes.get("header-row") === "true",
      has_row_header: attributes.get("header-column") === "true",
      children: rows.map((cells) => ({
        table_row: { cells: Array.from({ length: width }, (_, index) => cells[index] ?? []) },
      })),
    },
  }];
}

function cellsOf(row: string, columns: readonly (Color | undefined)[]): RichTextInput[] {
  const [opening = "", ...cells] = row.split(/(?=<t[dh]\b)/);
  const rowColor = colorOf(/^<tr\b[^>]*>/.exec(opening)?.[0] ?? "");
  return cells.map((cell, index) => {
    const start = cell.indexOf(">") + 1;
    const end = cell.search(/<\/t[dh]>/);
    const color = colorOf(cell.slice(0, start)) ?? rowColor ?? columns[index];
    const text = oneLine(cell.slice(start, end < 0 ? undefined : end));
    return readInline(text).slice(0, LIMITS.array).map((item) => colored(item, color));
  });
}

/** The table of GFM in these lines. */
export function pipeTable(source: string): BlockInput[] {
  const root = parseMarkdown(source, { frontMatter: false });
  const [table] = root.children;
  const context = {
    text: source,
    definitions: new Map(),
    blocks: () => [],
    columns: () => [],
  };
  const block = table?.type === "table" ? tableBlock(table, context) : undefined;
  return block === undefined ? codeBlocks(source, "markdown") : [block];
}

function colorOf(tag: string): Color | undefined {
  const element = parseElement(tag);
  return element && colorIn(element.attributes);
}

/** The item in this color, unless it has one of its own. */
export function colored(item: RichTextItemInput, color: Color | undefined): RichTextItemInput {
  if (color === undefined || item.annotations?.color !== undefined) return item;
  return { ...item, annotations: { ...item.annotations, color } };
}
