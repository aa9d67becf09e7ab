/**
 * Writing the cells of rows.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import type { DatabaseChange } from "../../content/schema/node.ts";
import type { PropertyCell } from "../../content/schema/cells.ts";
import { DELETE_BLOCKS, UNSEAL } from "../admin/text_blocks.ts";
import { SQLITE_READS } from "./dialect.ts";
import { ConflictError } from "./changes/expectation.ts";
import { createLongTexts, textInCell, wholeText } from "./long_texts.ts";
import { type Query, query } from "./query.ts";
import { createRowLister } from "./row_lister.ts";
import { runToEnd, SLICE } from "./slices.ts";

/** A row, the database it is in, and when it was created. */
export interface RowId {
  readonly id: string;
  readonly databaseId: string;
  readonly createdTime: number;
}

type Of<Op extends DatabaseChange["op"]> = Extract<DatabaseChange, { readonly op: Op }>;

export interface CellWriter {
  /** Inserts the cells of a new row. */
  insert(workspace: string, row: RowId, cells: readonly PropertyCell[]): void;
  /** Replaces the cells of a row. Cells that stay the same are not written. */
  replace(workspace: string, row: RowId, cells: readonly PropertyCell[]): void;
  writeCells(workspace: string, change: Of<"writeCells">): void;
  materialize(workspace: string, change: Of<"materialize">): void;
  deleteCells(workspace: string, change: Of<"deleteCells">): void;
}

type Stored = readonly [
  propertyId: string,
  ordinal: number,
  number: number | null,
  key: string | null,
  text: string | null,
];

/** Prepares the statements that write cells. */
export function createCellWriter(db: DatabaseSync): CellWriter {
  const save = db.prepare(`
    INSERT INTO cells
      (workspace_id, node_id, database_id, property_id, ordinal, number, key, text)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE
    SET number = excluded.number, key = excluded.key, text = excluded.text
  `);
  const remove = db.prepare(`
    DELETE FROM cells
    WHERE workspace_id = ? AND node_id = ? AND property_id = ? AND ordinal = ?
  `);
  const stored: Query<Stored> = query(
    db,
    `SELECT c.property_id, c.ordinal, c.number, c.key, ${wholeText("c")} FROM cells c
    WHERE c.workspace_id = ? AND c.node_id = ?`,
  );
  const longTexts = createLongTexts(db);
  const unsealBlock = db.prepare(SQLITE_READS.statement(UNSEAL));
  const unseal = (workspace: string, row: RowId, properties: Iterable<string>): void => {
    for (const propertyId of new Set(properties)) {
      unsealBlock.run(workspace, row.databaseId, propertyId, row.createdTime, row.id);
    }
  };
  const insert: CellWriter["insert"] = (workspace, row, cells) => {
    const { id, databaseId } = row;
    unseal(workspace, row, cells.flatMap((cell) => cell.text === null ? [] : cell.propertyId));
    for (const { propertyId, ordinal, number, key, text } of cells) {
      save.run(workspace, id, databaseId, propertyId, ordinal, number, key, textInCell(text));
      longTexts.save([workspace, id, propertyId, ordinal], databaseId, text);
    }
  };
  return {
    insert,
    replace(workspace, row, cells) {
      const before = new Map(stored.all(workspace, row.id).map((cell) => [nameOf(cell), cell]));
      const replaced: Stored[] = [];
      const fresh = cells.filter((cell) => {
        const name = nameOf([cell.propertyId, cell.ordinal]);
        const stored = before.get(name);
        before.delete(name);
        if (stored === undefined) return true;
        if (isSame(stored, cell)) return false;
        replaced.push(stored);
        return true;
      });
      const gone = [...replaced, ...before.values()].filter(([, , , , text]) => text !== null);
      unseal(workspace, row, gone.map(([propertyId]) => propertyId));
      for (const [propertyId, ordinal, , , text] of replaced) {
        longTexts.remove([workspace, row.id, propertyId, ordinal], text);
      }
      for (const [propertyId, ordinal] of before.values()) {
        remove.run(workspace, row.id, propertyId, ordinal);
      }
      insert(workspace, row, fresh);
    },
    materialize: createMaterialize(db, insert),
    ...createColumnWriter(db),
  };
}

/** Prepares the statements that set one cell of rows. */
function createMaterialize(
  db: DatabaseSync,
  insert: CellWriter["insert"],
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

function nameOf([propertyId, ordinal]: readonly [string, number, ...unknown[]]): string {
  return `${ordinal} ${propertyId}`;
}

function isSame([, , number, key, text]: Stored, cell: PropertyCell): boolean {
  return number === cell.number && key === cell.key && text === cell.text;
}

/** Prepares the statements that write one property of all rows. */
function createColumnWriter(db: DatabaseSync): Pick<CellWriter, "writeCells" | "deleteCells"> {
  const write = db.prepare(`
    INSERT INTO cells
      (workspace_id, node_id, database_id, property_id, ordinal, number, key, text)
    SELECT ?1, value, ?2, ?3, 0, ?4, ?5, ?6 FROM json_each(?7)
  `);
  const remove = db.prepare(`
    DELETE FROM cells WHERE workspace_id = ?1 AND property_id = ?3 AND node_id IN (
      SELECT node_id FROM cells INDEXED BY cells_by_value
      WHERE workspace_id = ?1 AND database_id = ?2 AND property_id = ?3 LIMIT ${SLICE}
    )
  `);
  const rows = createRowLister(db);
  const deleteBlocks = db.prepare(SQLITE_READS.statement(DELETE_BLOCKS));
  return {
    writeCells(workspace, { databaseId, propertyId, cell: { number, key, text } }) {
      deleteBlocks.run(workspace, databaseId, propertyId);
      for (const ids of rows(workspace, { databaseId })) {
        write.run(workspace, databaseId, propertyId, number, key, text, JSON.stringify(ids));
      }
    },
    deleteCells(workspace, { databaseId, propertyId }) {
      deleteBlocks.run(workspace, databaseId, propertyId);
      runToEnd(remove, workspace, databaseId, propertyId);
    },
  };
}
