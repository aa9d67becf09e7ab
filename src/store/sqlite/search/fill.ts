/**
 * Bringing what was written before there was search into the index, at the start.
 *
 * @module
 */
import { PageFull } from "../../search_parts.ts";
import type { Connection } from "../connection.ts";
import { type Query, query } from "../query.ts";
import { createNodeWriter } from "./indexer.ts";

export interface FillOptions {
  /**
   * Called with the number of pages and databases in the index, every few thousand and at the end.
   */
  readonly onProgress?: (pages: number) => void;
}

/** Pages of one transaction, and blocks in memory at once. */
const PAGES = 50;
const BLOCKS = 500;
/** Pages between two reports. */
const REPORTED = 5_000;

/**
 * Reads all pages of all workspaces into the index, from where it was last left off. Each step is a
 * transaction, so that processes that start together share the work and none does it twice.
 */
export function fillSearch({ db, transaction }: Connection, { onProgress }: FillOptions): void {
  const step = createStep(db);
  let pages = 0;
  for (let read = transaction(step); read !== undefined; read = transaction(step)) {
    pages += read;
    if (read > 0 && Math.floor(pages / REPORTED) > Math.floor((pages - read) / REPORTED)) {
      onProgress?.(pages);
    }
  }
  if (pages > 0) onProgress?.(pages);
}

/** Prepares one step. It returns how many pages it read; undefined if nothing is left to do. */
function createStep(db: Connection["db"]): () => number | undefined {
  const next: Query<[workspace: string, pageId: string]> = query(
    db,
    "SELECT workspace_id, page_id FROM search_filling LIMIT 1",
  );
  const pages: Query<[string]> = query(
    db,
    `SELECT id FROM nodes WHERE workspace_id = ? AND id > ? AND kind <> 'block'
    ORDER BY id LIMIT ?`,
  );
  const move = db.prepare("UPDATE search_filling SET page_id = ? WHERE workspace_id = ?");
  const finish = db.prepare("DELETE FROM search_filling WHERE workspace_id = ?");
  const writePage = createPageFiller(db);
  return () => {
    const [workspace, after] = next.get() ?? [];
    if (workspace === undefined || after === undefined) return undefined;
    const ids = pages.all(workspace, after, PAGES).map(([id]) => id);
    for (const id of ids) writePage(workspace, id, true);
    const last = ids.at(-1);
    if (last === undefined) finish.run(workspace);
    else move.run(last, workspace);
    return ids.length;
  };
}

/**
 * Prepares the statements that put all words of a page into the index, which may have it already.
 */
export function createPageFiller(
  db: Connection["db"],
): (workspace: string, pageId: string, isNew: boolean) => void {
  // Blocks that went to the trash with their page come back with it.
  const blocks: Query<[string]> = query(
    db,
    `SELECT n.id FROM nodes p CROSS JOIN nodes n
      ON n.workspace_id = p.workspace_id AND n.container_id = p.id AND n.trash_root IS p.trash_root
    WHERE p.workspace_id = ? AND p.id = ? AND n.kind = 'block'`,
  );
  const comments: Query<[string]> = query(
    db,
    `SELECT c.id FROM comments c
    CROSS JOIN nodes p ON p.workspace_id = c.workspace_id AND p.id = c.page_id
    CROSS JOIN nodes n ON n.workspace_id = c.workspace_id AND n.id = c.node_id
      AND n.trash_root IS p.trash_root
    WHERE c.workspace_id = ? AND c.page_id = ?`,
  );
  const write = createNodeWriter(db);
  return (workspace, pageId, isNew) => {
    const ids = [pageId, ...blocks.all(workspace, pageId).map(([id]) => id)];
    try {
      for (let at = 0; at < ids.length; at += BLOCKS) {
        write(workspace, ids.slice(at, at + BLOCKS).map((id) => ({ id, isNew })));
      }
      const commentsOfPage = comments.all(workspace, pageId).map(([id]) => ({
        id,
        pageId,
        isNew,
      }));
      for (let at = 0; at < commentsOfPage.length; at += BLOCKS) {
        write(workspace, [], commentsOfPage.slice(at, at + BLOCKS));
      }
    } catch (error) {
      // A page that does not fit the index is not found by its words, but must not stop the start.
      if (!(error instanceof PageFull)) throw error;
    }
  };
}
