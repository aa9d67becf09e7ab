/**
 * The workspaces in the word index.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import { ANALYSIS } from "../../../search/text/analysis.ts";
import { type Query, query } from "../query.ts";

/** Characters of a code. The index's prefix lengths include them. */
export const CODE_LENGTH = 5;

/** A workspace's totals in the index. */
export interface Indexed {
  /** Prefix of the workspace's words in the index. */
  readonly code: string;
  readonly parts: number;
  /** Number of terms in all parts. */
  readonly length: number;
}

/** Prepares the statement that reads a workspace's totals; undefined before its first page. */
export function createIndexedReader(db: DatabaseSync): (workspace: string) => Indexed | undefined {
  const find: Query<[code: number, parts: number, length: number]> = query(
    db,
    "SELECT code, parts, length FROM search_workspaces WHERE workspace_id = ?",
  );
  return (workspace) => {
    const row = find.get(workspace);
    if (row === undefined) return undefined;
    const [code, parts, length] = row;
    return { code: code.toString(36).padStart(CODE_LENGTH, "0"), parts, length };
  };
}

/** Prepares the statement that adds to a workspace's totals, creating them if needed. */
export function createIndexedWriter(
  db: DatabaseSync,
): (workspace: string, added: { readonly parts: number; readonly length: number }) => void {
  const add = db.prepare(`
    INSERT INTO search_workspaces (workspace_id, parts, length, analysis)
    VALUES (?, ?, ?, ${ANALYSIS})
    ON CONFLICT (workspace_id) DO UPDATE
    SET parts = parts + excluded.parts, length = length + excluded.length
  `);
  return (workspace, { parts, length }) => void add.run(workspace, parts, length);
}
