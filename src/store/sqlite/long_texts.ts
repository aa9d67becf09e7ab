/**
 * Long texts of cells. A cell keeps their beginning, because a search for a cell reads whole cells.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import { SHORT_TEXT } from "../rows/long_texts.ts";

/** A cell, by what tells it from all others. */
type CellKey = readonly [workspace: string, nodeId: string, propertyId: string, ordinal: number];

export interface LongTexts {
  /** Stores the text of a cell if it is long. The cell exists, with the beginning of the text. */
  save(key: CellKey, databaseId: string, text: string | null): void;
  /**
   * Deletes this text of a cell that gets another, if it is long. Those of deleted cells are deleted
   * with them.
   */
  remove(key: CellKey, text: string | null): void;
}

/** Prepares the statements that write long texts. */
export function createLongTexts(db: DatabaseSync): LongTexts {
  const save = db.prepare(`
    INSERT INTO long_texts
      (workspace_id, node_id, property_id, ordinal, database_id, bytes, text)
    VALUES (?1, ?2, ?3, ?4, ?5, octet_length(?6), ?6)
  `);
  const remove = db.prepare(`
    DELETE FROM long_texts
    WHERE workspace_id = ? AND node_id = ? AND property_id = ? AND ordinal = ?
  `);
  return {
    save(key, databaseId, text) {
      if (isLong(text)) save.run(...key, databaseId, text);
    },
    remove(key, text) {
      if (isLong(text)) remove.run(...key);
    },
  };
}

function isLong(text: string | null): text is string {
  return text !== null && text.length > SHORT_TEXT;
}

/** Returns what a cell keeps of its text. */
export function textInCell(text: string | null): string | null {
  return text?.slice(0, SHORT_TEXT) ?? null;
}

/** Selects the whole text of a cell of this table or alias. */
export function wholeText(cell: string): string {
  return `iif(octet_length(${cell}.text) >= ${SHORT_TEXT}, coalesce((
    SELECT t.text FROM long_texts t
    WHERE t.workspace_id = ${cell}.workspace_id AND t.node_id = ${cell}.node_id
      AND t.property_id = ${cell}.property_id AND t.ordinal = ${cell}.ordinal
  ), ${cell}.text), ${cell}.text)`;
}
