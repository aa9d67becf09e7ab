/**
 * Reads tables.
 *
 * @module
 */
import type { Table } from "mdast";
import type { BlockInput } from "../blocks/block_input.ts";
import { LIMITS } from "../values/limits.ts";
import type { RichTextInput, RichTextItemInput } from "../values/rich_text.ts";
import { fromPhrasing } from "./from_phrasing.ts";
import { plainItems } from "./rich_text_limits.ts";
import type { FlowContext } from "./text_blocks.ts";

/** The block of a table; undefined if the table is too wide or a cell is too long. */
export function tableBlock(
  { children }: Table,
  { definitions }: FlowContext,
): BlockInput | undefined {
  const rows = children.map((row) =>
    row.children.map((cell) => shortened(fromPhrasing(cell.children, definitions)))
  );
  const width = rows.reduce((most, { length }) => Math.max(most, length), 0);
  const isTooLong = rows.flat().some((cell) => cell.length > LIMITS.array);
  if (width < 1 || width > LIMITS.array || isTooLong) return undefined;
  const header = children[0]?.children ?? [];
  const hasHeader = rows.length === 1 || header.some((cell) => cell.children.length > 0);
  return {
    table: {
      table_width: width,
      has_column_header: hasHeader,
      children: (hasHeader ? rows : rows.slice(1)).map((cells) => ({
        table_row: { cells: Array.from({ length: width }, (_, index) => cells[index] ?? []) },
      })),
    },
  };
}

/** The cell, or its plain text if it has too many items. */
function shortened(cell: readonly RichTextItemInput[]): RichTextInput {
  if (cell.length <= LIMITS.array) return [...cell];
  return plainItems(cell.map(textOf).join(""));
}

function textOf(item: RichTextItemInput): string {
  if ("text" in item) return item.text.content;
  return "equation" in item ? item.equation.expression : "";
}
