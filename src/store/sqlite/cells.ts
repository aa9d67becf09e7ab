/**
 * Writing the cells of rows.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import type { DatabaseChange } from "../../content/schema/node.ts";
import type { PropertyCell } from "../../content/schema/cells.ts";
import { DELETE_BLOCKS } from "../admin/text_blocks.ts";
import { batchesOf } from "../batches.ts";
import { SQLITE_READS } from "./dialect.ts";
import type { StepApplier } from "./changes/appliers.ts";
import { ConflictError } from "./changes/expectation.ts";
import { createLongTexts, textInCell, wholeText } from "./long_texts.ts";
import { type Query, query } from "./query.ts";
import { createRowLister } from "./row_lister.ts";
import type { SearchIndexer } from "./search/indexer.ts";
import { SLICE } from "./slices.ts";
import { createUnsealing, type Unseal } from "./unseal.ts";

/** A row, the database it is in, and when it was created. */
export interface RowId {
  readonly id: string;
  readonly databaseId: string;
  readonly createdTime: number;
}

/** A row and all of its cells. */
export interface CellsOfRow {
  readonly row: RowId;
  readonly cells: readonly PropertyCell[];
}

/** Rows whose words are noted in one step. */
const WORDS = 200;

type Of<Op extends DatabaseChange["op"]> = Extract<DatabaseChange, { readonly op: Op }>;

export interface CellWriter {
  /** Inserts the cells of a new row. */
  insert(workspace: string, row: RowId, cells: readonly PropertyCell[]): void;
  /**
   * Replaces the cells of rows. Cells that stay the same are not written. The stored cells of all
   * these rows are read at once.
   */
  replace(workspace: string, rows: readonly CellsOfRow[]): void;
  readonly writeCells: StepApplier<"writeCells">;
  materialize(workspace: string, change: Of<"materialize">): void;
  readonly deleteCells: StepApplier<"deleteCells">;
}

type Stored = readonly [
  nodeId: string,
  propertyId: string,
  ordinal: number,
  number: number | null,
  key: string | null,
  text: string | null,
];

/** Prepares the statements that write cells. */
export function createCellWriter(db: DatabaseSync, search: SearchIndexer): CellWriter {
  const unsealing = createUnsealing(db);
  const insert = createInsert(db);
  return {
    insert(workspace, row, cells) {
      unsealing(workspace)(row, propertiesWithTexts(cells));
      insert(workspace, row, cells);
    },
    replace: createReplace(db, { unsealing, insert }),
    materialize: createMaterialize(db, insert),
    ...createColumnWriter(db, search),
  };
}

/** Inserts cells. The blocks of those with texts are unsealed already. */
type InsertCells = CellWriter["insert"];

function createInsert(db: DatabaseSync): InsertCells {
  const save = db.prepare(`
    INSERT INTO cells
      (workspace_id, node_id, database_id, property_id, ordinal, number, key, text)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE
    SET number = excluded.number, key = excluded.key, text = excluded.text
  `);
  const longTexts = createLongTexts(db);
  return (workspace, { id, databaseId }, cells) => {
    for (const { propertyId, ordinal, number, key, text } of cells) {
      save.run(workspace, id, databaseId, propertyId, ordinal, number, key, textInCell(text));
      longTexts.save([workspace, id, propertyId, ordinal], databaseId, text);
    }
  };
}

function createReplace(
  db: DatabaseSync,
  { unsealing, insert }: {
    readonly unsealing: (workspace: string) => Unseal;
    readonly insert: InsertCells;
  },
): CellWriter["replace"] {
  const storedOf: Query<Stored> = query(
    db,
    `SELECT c.node_id, c.property_id, c.ordinal, c.number, c.key, ${wholeText("c")}
    FROM json_each(?2) wanted
    CROSS JOIN cells c ON c.workspace_id = ?1 AND c.node_id = wanted.value`,
  );
  const remove = db.prepare(`
    DELETE FROM cells
    WHERE workspace_id = ? AND node_id = ? AND property_id = ? AND ordinal = ?
  `);
  const longTexts = createLongTexts(db);
  return (workspace, rows) => {
    const ids = JSON.stringify(rows.map(({ row }) => row.id));
    const stored = Map.groupBy(storedOf.all(workspace, ids), ([nodeId]) => nodeId);
    const unseal = unsealing(workspace);
    for (const { row, cells } of rows) {
      const { fresh, replaced, gone } = differences(stored.get(row.id) ?? [], cells);
      unseal(row, [...replaced, ...gone].flatMap(([, id, , , , text]) => text === null ? [] : id));
      unseal(row, propertiesWithTexts(fresh));
      for (const [, propertyId, ordinal, , , text] of replaced) {
        longTexts.remove([workspace, row.id, propertyId, ordinal], text);
      }
      for (const [, propertyId, ordinal] of gone) {
        remove.run(workspace, row.id, propertyId, ordinal);
      }
      insert(workspace, row, fresh);
    }
  };
}

function propertiesWithTexts(cells: readonly PropertyCell[]): string[] {
  return cells.flatMap(({ propertyId, text }) => text === null ? [] : propertyId);
}

interface Differences {
  /** Cells to write, some of them in place of stored ones. */
  readonly fresh: readonly PropertyCell[];
  readonly replaced: readonly Stored[];
  readonly gone: readonly Stored[];
}

function differences(stored: readonly Stored[], cells: readonly PropertyCell[]): Differences {
  const gone = new Map(
    stored.map((cell) => [nameOf({ propertyId: cell[1], ordinal: cell[2] }), cell]),
  );
  const replaced: Stored[] = [];
  const fresh = cells.filter((cell) => {
    const name = nameOf(cell);
    const before = gone.get(name);
    gone.delete(name);
    if (before === undefined) return true;
    if (isSame(before, cell)) return false;
    replaced.push(before);
    return true;
  });
  return { fresh, replaced, gone: [...gone.values()] };
}

/** Prepares the statements that set one cell of rows. */
function createMaterialize(
  db: DatabaseSync,
  insert: InsertCells,
): CellWriter["materialize"] {
  const found: Query<[createdTime: number]> = query(
    db,
    `SELECT created_time FROM nodes
    WHERE workspace_id = ? AND id = ? AND version = ? AND parent_id = ?`,
  );
  const remove = db.prepare(
    "DELETE FROM cells WHERE workspace_id = ? AND node_id = ? AND property_id = ? AND ordinal = 0",
  );
  return (workspace, { databaseId, propertyId, rows }) => {
    for (const { id, version, cell } of rows) {
      const [createdTime] = found.get(workspace, id, version, databaseId) ?? [];
      if (createdTime === undefined) throw new ConflictError();
      remove.run(workspace, id, propertyId);
      if (cell === null) continue;
      const row = { id, databaseId, createdTime };
      insert(workspace, row, [{ propertyId, ordinal: 0, ...cell, text: null }]);
    }
  };
}

function nameOf({ propertyId, ordinal }: Pick<PropertyCell, "propertyId" | "ordinal">): string {
  return `${ordinal} ${propertyId}`;
}

function isSame([, , , number, key, text]: Stored, cell: PropertyCell): boolean {
  return number === cell.number && key === cell.key && text === cell.text;
}

/** Prepares the statements that write one property of all rows. */
function createColumnWriter(
  db: DatabaseSync,
  search: SearchIndexer,
): Pick<CellWriter, "writeCells" | "deleteCells"> {
  const write = db.prepare(`
    INSERT INTO cells
      (workspace_id, node_id, database_id, property_id, ordinal, number, key, text)
    SELECT ?1, value, ?2, ?3, 0, ?4, ?5, ?6 FROM json_each(?7)
  `);
  const remove: Query<[nodeId: string, isFilled: number]> = query(
    db,
    `DELETE FROM cells WHERE workspace_id = ?1 AND property_id = ?3 AND node_id IN (
      SELECT node_id FROM cells INDEXED BY cells_by_value
      WHERE workspace_id = ?1 AND database_id = ?2 AND property_id = ?3 LIMIT ?4
    ) RETURNING node_id, number IS NOT NULL OR key IS NOT NULL`,
  );
  const lengths: Query<[id: string, length: number]> = query(
    db,
    `SELECT n.id, octet_length(n.doc) FROM json_each(?2) wanted
    CROSS JOIN nodes n ON n.workspace_id = ?1 AND n.id = wanted.value`,
  );
  const rows = createRowLister(db);
  const deleteBlocks = db.prepare(SQLITE_READS.statement(DELETE_BLOCKS));
  return {
    *writeCells(workspace, { databaseId, propertyId, cell: { number, key, text } }, from) {
      if (from === undefined) yield {};
      deleteBlocks.run(workspace, databaseId, propertyId);
      for (const { rows: some, last } of rows(workspace, { databaseId, after: from?.after })) {
        const ids = JSON.stringify(some.map(({ id }) => id));
        write.run(workspace, databaseId, propertyId, number, key, text, ids);
        yield last === undefined ? {} : { after: last };
      }
    },
    *deleteCells(workspace, { databaseId, propertyId, keepsWords = false }, from) {
      if (from === undefined) yield {};
      deleteBlocks.run(workspace, databaseId, propertyId);
      const most = keepsWords ? SLICE : WORDS;
      for (;;) {
        const deleted = remove.all(workspace, databaseId, propertyId, most);
        if (deleted.length === 0) return;
        yield {};
        if (keepsWords) continue;
        const filled = new Set(deleted.flatMap(([id, isFilled]) => isFilled === 1 ? id : []));
        const found = lengths.all(workspace, JSON.stringify([...filled]));
        // If this is interrupted, the change of the database's document writes the words of all rows.
        for (const some of batchesOf(found.map(([id, length]) => ({ id, length })), WORDS)) {
          for (const row of some) search.changed(row);
          yield {};
        }
      }
    },
  };
}
