/**
 * Tables, read back.
 *
 * @module
 */
import type { Table } from "mdast";
import type { BlockInput } from "../blocks/block_input.ts";
import { LIMITS } from "../values/limits.ts";
import type { RichTextInput, RichTextItemInput } from "../values/rich_text.ts";
import { fromPhrasing } from "./from_phrasing.ts";
import { plainRuns } from "./runs.ts";
import type { Source } from "./source.ts";

/** The block of a table; undefined where it is wider, or a cell longer, than one can be. */
export function tableBlock({ children }: Table, { definitions }: Source): BlockInput | undefined {
  const rows = children.map((row) =>
    row.children.map((cell) => shortened(fromPhrasing(cell.children, definitions)))
  );
  const width = Math.max(...rows.map((cells) => cells.length));
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

/** A cell without its styles where it has too many. */
function shortened(cell: readonly RichTextItemInput[]): RichTextInput {
  if (cell.length <= LIMITS.array) return [...cell];
  return plainRuns(cell.map(textOf).join(""));
}

function textOf(item: RichTextItemInput): string {
  if ("text" in item) return item.text.content;
  return "equation" in item ? item.equation.expression : "";
}
