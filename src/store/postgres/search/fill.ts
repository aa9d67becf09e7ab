/**
 * Bringing what was written without search into the index, at the start.
 *
 * @module
 */
import { PageFull } from "../../search_parts.ts";
import type { Connection } from "../connection.ts";
import { query, type Session, statement } from "../query.ts";
import { takeTurn } from "../turns.ts";
import { readChanged } from "./indexer.ts";
import { savePages } from "./pages.ts";

export interface FillOptions {
  /** Told how many pages and databases this process has read so far, every few thousand and at the end. */
  readonly onProgress?: (pages: number) => void;
}

/** Pages of one transaction. */
const PAGES = 50;
/** Pages between two reports. */
const REPORTED = 5_000;

// Processes that start together take turns, each step once.
const next = query<[workspace: string, pageId: string]>(
  "SELECT workspace_id, page_id FROM search_filling LIMIT 1 FOR UPDATE",
);
const pages = query<[string]>(`
  SELECT id FROM nodes WHERE workspace_id = $1 AND id > $2 AND kind <> 'block'
  ORDER BY id LIMIT $3
`);
// Blocks that went to the trash with their page come back with it.
const blocks = query<[string]>(`
  SELECT n.id FROM nodes p JOIN nodes n
    ON n.workspace_id = p.workspace_id AND n.container_id = p.id AND n.trash_root = p.trash_root
  WHERE p.workspace_id = $1 AND p.id = $2 AND n.kind = 'block'
`);
const move = statement("UPDATE search_filling SET page_id = $2 WHERE workspace_id = $1");
const finish = statement("DELETE FROM search_filling WHERE workspace_id = $1");

/**
 * Reads all pages that are waiting into the index. Each step is a transaction, so that processes that
 * start together share the work and none does it twice.
 */
export async function fillSearch(
  { session, transaction }: Connection,
  { onProgress }: FillOptions = {},
): Promise<void> {
  let pages = 0;
  for (
    let read = await transaction(step);
    read !== undefined;
    read = await transaction(step)
  ) {
    pages += read;
    if (Math.floor(pages / REPORTED) > Math.floor((pages - read) / REPORTED)) onProgress?.(pages);
  }
  if (pages === 0) return;
  // How a search is planned follows from how common its words are.
  await session.send("ANALYZE search_parts", []);
  onProgress?.(pages);
}

/** How many pages it read; undefined where there is nothing left to do. */
async function step(session: Session): Promise<number | undefined> {
  const [workspace, after] = await next.get(session) ?? [];
  if (workspace === undefined || after === undefined) return undefined;
  await takeTurn(session, workspace);
  const ids = (await pages.all(session, workspace, after, PAGES)).map(([id]) => id);
  for (const id of ids) {
    const inside = (await blocks.all(session, workspace, id)).map(([block]) => block);
    const noted = new Map([id, ...inside].map((node) => [node, true]));
    try {
      await savePages(session, workspace, await readChanged(session, workspace, noted));
    } catch (error) {
      // What has no room is not found by its words, which must not keep the service from starting.
      if (!(error instanceof PageFull)) throw error;
    }
  }
  const last = ids.at(-1);
  await (last === undefined ? finish(session, workspace) : move(session, workspace, last));
  return ids.length;
}
