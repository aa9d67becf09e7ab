/**
 * Brings the words of pages to the current analysis, some pages at a time, while searches go on.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import { ANALYSIS } from "../../../search/text/analysis.ts";
import { isUnspaced } from "../../../search/text/segment.ts";
import { type Query, query } from "../query.ts";
import { createPageFiller } from "./fill.ts";
import { createPartTable } from "./parts.ts";

/** Pages of a slice. */
const PAGES = 10;

/**
 * Prepares one slice. It returns how many pages it rewrote, and 1 where it completed a workspace; 0 if
 * all are up to date.
 */
export function createReanalysis(db: DatabaseSync): () => number {
  const next: Query<[workspace: string, after: string]> = query(
    db,
    "SELECT workspace_id, analysed_to FROM search_workspaces WHERE analysis < ? LIMIT 1",
  );
  const pages: Query<[string]> = query(
    db,
    `SELECT id FROM nodes WHERE workspace_id = ? AND id > ? AND kind <> 'block'
    ORDER BY id LIMIT ${PAGES}`,
  );
  const move = db.prepare("UPDATE search_workspaces SET analysed_to = ? WHERE workspace_id = ?");
  const finish = db.prepare(
    "UPDATE search_workspaces SET analysis = ?, analysed_to = '' WHERE workspace_id = ?",
  );
  const fill = createPageFiller(db);
  const parts = createPartTable(db);
  return () => {
    const [workspace, after] = next.get(ANALYSIS) ?? [];
    if (workspace === undefined || after === undefined) return 0;
    const ids = pages.all(workspace, after).map(([id]) => id);
    for (const id of ids) {
      fill(workspace, id, false);
      // What is written as before may still be indexed in another way.
      for (const part of parts.all(workspace, id)) {
        if (isUnspaced(part.title + part.body)) parts.save(workspace, [{ part, before: part }]);
      }
    }
    const last = ids.at(-1);
    if (last === undefined) finish.run(ANALYSIS, workspace);
    else move.run(last, workspace);
    return Math.max(1, ids.length);
  };
}

/** Prepares the check whether some pages of a workspace have words of an earlier analysis. */
export function createOutdatedCheck(db: DatabaseSync): (workspace: string) => boolean {
  const outdated: Query<[number]> = query(
    db,
    "SELECT 1 FROM search_workspaces WHERE workspace_id = ? AND analysis < ?",
  );
  return (workspace) => outdated.get(workspace, ANALYSIS) !== undefined;
}
