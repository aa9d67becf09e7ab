/**
 * Sealing text blocks, and taking the texts out of blocks whose rows change.
 *
 * @module
 */
import type { BlockSizes, TextColumn } from "../port.ts";
import type { Question, ReadPlan, Source } from "../reads/query.ts";
import { BLOCK_SIZES, packTexts } from "../text_blocks.ts";

/** The place of a row in the order of creation. */
export type RowPlace = readonly [createdTime: number, id: string];

const FIRST: RowPlace = [Number.MIN_SAFE_INTEGER, ""];
const LAST: RowPlace = [Number.MAX_SAFE_INTEGER, "\u{10FFFF}"];

/** The blocks of column `$1`, `$2`, `$3`. */
const OF_COLUMN = "workspace_id = $1 AND database_id = $2 AND property_id = $3";

/** Takes the texts out of the block with the row at `$4` and `$5`, if one is sealed. */
const UNSEAL = `
  UPDATE text_blocks SET has_long = 0, texts = NULL
  WHERE ${OF_COLUMN} AND texts IS NOT NULL AND (last_time, last_id) = (
    SELECT b.last_time, b.last_id FROM text_blocks b
    WHERE b.workspace_id = $1 AND b.database_id = $2 AND b.property_id = $3
      AND (b.last_time, b.last_id) >= ($4, $5)
    ORDER BY b.last_time, b.last_id LIMIT 1
  )
`;

/** Deletes all blocks of a column. */
export const DELETE_BLOCKS = `DELETE FROM text_blocks WHERE ${OF_COLUMN}`;

type ChangedColumn = readonly [
  databaseId: string,
  propertyId: string,
  createdTime: number,
  id: string,
];

/** Declares what takes the texts of rows out of all blocks; call it while the rows have cells. */
export function createUnsealing(
  { dialect, query }: Source,
): (workspace: string, rows: readonly string[]) => ReadPlan<void> {
  const columns = query<ChangedColumn>(
    `SELECT c.database_id, c.property_id, n.created_time, n.id
    ${dialect.listed("cells c CROSS JOIN nodes n", "c.node_id", "$2")}
      AND c.workspace_id = $1 AND c.text IS NOT NULL
      AND n.workspace_id = c.workspace_id AND n.id = c.node_id`,
  );
  const unseal = query<[]>(UNSEAL);
  return function* (workspace, rows) {
    const changed = yield* columns.all([workspace, rows], (row) => row);
    yield changed.map((column): Question => unseal.question([workspace, ...column]));
  };
}

/** Declares the work on one column: `seal` seals one block and returns how many rows it has. */
export function createSealing(
  source: Source,
): (column: TextColumn, sizes?: BlockSizes) => ReadPlan<number> {
  const findStretch = createStretchFinder(source);
  const readTexts = createTextReader(source);
  const save = source.query<[]>(
    `INSERT INTO text_blocks (
      workspace_id, database_id, property_id, last_time, last_id, has_long, texts
    ) VALUES ($1, $2, $3, $4, $5, $6, $7)
    ON CONFLICT (workspace_id, database_id, property_id, last_time, last_id) DO UPDATE
    SET has_long = excluded.has_long, texts = excluded.texts`,
  );
  const saveRows = source.query<[]>(
    `INSERT INTO text_block_rows (
      workspace_id, database_id, property_id, last_time, last_id, ids
    ) VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (workspace_id, database_id, property_id, last_time, last_id) DO UPDATE
    SET ids = excluded.ids`,
  );
  return function* (column, sizes = BLOCK_SIZES) {
    const { workspace, databaseId, propertyId } = column;
    const stretch = yield* findStretch(column, sizes);
    if (stretch === undefined) return 0;
    const { rows, end } = stretch;
    const texts = yield* readTexts(workspace, propertyId, rows.map(([, id]) => id));
    const packed = packTexts(rows.map(([, id]) => ({ id, texts: texts.get(id) ?? [] })));
    const isWhole = packed.rows === rows.length && rows.length < sizes.rows;
    const [time, id] = isWhole ? end : rows[packed.rows - 1] ?? end;
    const block = [workspace, databaseId, propertyId, time, id];
    yield [
      save.question([...block, packed.hasLong ? 1 : 0, packed.texts]),
      saveRows.question([...block, packed.ids]),
    ];
    return Math.max(1, packed.rows);
  };
}

interface Stretch {
  /** The first rows, up to those of one block. */
  readonly rows: readonly RowPlace[];
  readonly end: RowPlace;
}

/** Declares the search for rows that no sealed block has. */
function createStretchFinder(
  { dialect, query }: Source,
): (column: TextColumn, sizes: BlockSizes) => ReadPlan<Stretch | undefined> {
  const place = ([time, id]: RowPlace): RowPlace => [time, id];
  const unsealed = query<RowPlace>(
    `SELECT last_time, last_id FROM text_blocks
    WHERE ${OF_COLUMN} AND texts IS NULL ORDER BY last_time, last_id LIMIT 1`,
  );
  const before = query<RowPlace>(
    `SELECT last_time, last_id FROM text_blocks
    WHERE ${OF_COLUMN} AND (last_time, last_id) < ($4, $5)
    ORDER BY last_time DESC, last_id DESC LIMIT 1`,
  );
  const ofDatabase = `FROM ${dialect.indexed("nodes n", "rows_by_created_time")}
    WHERE n.workspace_id = $1 AND n.parent_id = $2
      AND n.parent_kind = 'database' AND n.kind = 'page'`;
  const rowsBetween = query<RowPlace>(
    `SELECT n.created_time, n.id ${ofDatabase}
      AND (n.created_time, n.id) > ($3, $4) AND (n.created_time, n.id) <= ($5, $6)
    ORDER BY n.created_time, n.id LIMIT $7`,
  );
  const isLarge = query<[number]>(`SELECT 1 ${ofDatabase} LIMIT 1 OFFSET $3`);
  return function* ({ workspace, databaseId, propertyId }, sizes) {
    const column = [workspace, databaseId, propertyId];
    const again = yield* unsealed.first(column, place);
    const end = again ?? LAST;
    const start = yield* before.first([...column, ...end], place);
    if (start === undefined && again === undefined) {
      const large = yield* isLarge.first([workspace, databaseId, sizes.least - 1], () => true);
      if (large === undefined) return undefined;
    }
    const ends = [...(start ?? FIRST), ...end];
    const rows = yield* rowsBetween.all([workspace, databaseId, ...ends, sizes.rows], place);
    return again === undefined && rows.length < sizes.rows ? undefined : { rows, end };
  };
}

function createTextReader(
  { dialect, query }: Source,
): (
  workspace: string,
  propertyId: string,
  rows: readonly string[],
) => ReadPlan<Map<string, string[]>> {
  const cells = query<[id: string, text: string]>(
    `SELECT c.node_id, c.text ${dialect.listed("cells c", "c.node_id", "$3")}
      AND c.workspace_id = $1 AND c.property_id = $2 AND c.text IS NOT NULL`,
  );
  return function* (workspace, propertyId, rows) {
    const texts = new Map<string, string[]>();
    for (const [id, text] of yield* cells.all([workspace, propertyId, rows], (row) => row)) {
      texts.set(id, [...texts.get(id) ?? [], text]);
    }
    return texts;
  };
}

type ColumnRow = readonly [workspace: string, databaseId: string, propertyId: string];

const NO_COLUMN = { workspace: "", databaseId: "", propertyId: "" };

/** Declares the read of the next column of any database. */
export function createColumnRead(
  { dialect, query }: Source,
): { nextColumn(after: TextColumn | undefined): ReadPlan<TextColumn | undefined> } {
  const cells = dialect.indexed("cells", "cells_by_value");
  const next = (behind: string) =>
    query<ColumnRow>(
      `SELECT workspace_id, database_id, property_id FROM ${cells} WHERE ${behind}
      ORDER BY workspace_id, database_id, property_id LIMIT 1`,
    );
  // One by one, because SQLite goes through all cells of the column before in a comparison of all.
  const ofDatabase = next("workspace_id = $1 AND database_id = $2 AND property_id > $3");
  const ofWorkspace = next("workspace_id = $1 AND database_id > $2");
  const ofOthers = next("workspace_id > $1");
  // All keys of a property have texts, or none has.
  const firstKey = query<[text: string | null]>(
    `SELECT text FROM ${cells} WHERE ${OF_COLUMN} AND number IS NULL AND key >= '' LIMIT 1`,
  );
  return {
    *nextColumn(after) {
      const { workspace: last, databaseId: lastDatabase, propertyId: lastProperty } = after ??
        NO_COLUMN;
      const same = (row: ColumnRow) => row;
      const found = (yield* ofDatabase.first([last, lastDatabase, lastProperty], same)) ??
        (yield* ofWorkspace.first([last, lastDatabase], same)) ??
        (yield* ofOthers.first([last], same));
      if (found === undefined) return undefined;
      const [workspace, databaseId, propertyId] = found;
      const text = yield* firstKey.first([...found], ([first]) => first) ?? null;
      return { workspace, databaseId, propertyId, hasTexts: text !== null && text !== undefined };
    },
  };
}
