/**
 * Writes the rows of a table while it is read, many in one request.
 *
 * @module
 */
import { forEachParallel } from "../../transfer/parallel.ts";
import type { PlannedDatabase } from "../plan.ts";
import type { Cell } from "../tables/column.ts";
import { guarded } from "./guarded.ts";
import type { RowBody } from "./registry.ts";
import { propertiesOf } from "./values.ts";
import type { Writing } from "./write_plan.ts";

/** Rows in one request: what the server takes. */
const ROWS = 100;
/** Characters in one request, a few more for each cell: well below the bytes that the server takes. */
const LENGTH = 250_000;
const CELL = 64;

interface NumberedRow {
  readonly number: number;
  readonly cells: readonly Cell[];
}

/** Creates the rows of a table. */
export async function createTableRows(
  writing: Writing,
  { key, columns, table }: PlannedDatabase,
): Promise<void> {
  const { api, registry, progress } = writing;
  const parent = { database_id: registry.node(key)?.id ?? "" };
  await forEachParallel(portionsOf(table?.rows() ?? []), api.parallel, async (portion) => {
    const rows = portion.map(({ number, cells }): RowBody => {
      const row = `${key}#row ${number}`;
      const properties = propertiesOf(writing, columns, { key: row, cells });
      return { key: row, body: { parent, properties } };
    });
    const name = `${key}#rows ${portion[0]?.number}-${portion.at(-1)?.number}`;
    await guarded(writing, name, () => createPortion(writing, name, rows));
    progress.advance(rows.length);
  });
}

async function createPortion(
  writing: Writing,
  name: string,
  rows: readonly RowBody[],
): Promise<void> {
  const { registry, report } = writing;
  if (await registry.createRows(name, rows)) return report.count("rows", rows.length);
  for (const row of rows) {
    await guarded(writing, row.key, async () => {
      await registry.createRow(row);
      report.count("rows");
    });
  }
}

/** Divides the rows of a table, always at the same places. */
async function* portionsOf(
  rows: AsyncIterable<readonly Cell[]> | readonly (readonly Cell[])[],
): AsyncGenerator<readonly NumberedRow[]> {
  let portion: NumberedRow[] = [];
  let length = 0;
  let number = 0;
  for await (const cells of rows) {
    const more = cells.reduce((sum, cell) => sum + CELL + lengthOf(cell), 0);
    if (portion.length === ROWS || (portion.length > 0 && length + more > LENGTH)) {
      yield portion;
      portion = [];
      length = 0;
    }
    portion.push({ cells, number: ++number });
    length += more;
  }
  if (portion.length > 0) yield portion;
}

function lengthOf(cell: Cell): number {
  return typeof cell === "string" ? cell.length : cell.join("").length;
}
