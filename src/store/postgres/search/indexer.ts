/**
 * Updates the word index as part of each commit.
 *
 * @module
 */
import type { Step } from "../changes/appliers.ts";
import { query, type Session, statement } from "../query.ts";
import { type ChangedPages, readPages, savePages } from "./pages.ts";

/** Nodes per batch, which bounds memory. */
const BATCH = 500;

const markTrashed = statement(`
  UPDATE search_parts SET trashed = $3 WHERE workspace_id = $1 AND page_id IN (
    SELECT n.id FROM nodes n
    WHERE n.workspace_id = $1 AND n.trash_root = $2 AND n.trash_root <> '' AND n.kind <> 'block'
  )
`);
// Only blocks whose page is not trashed with them; the others are trashed by their page's row.
const cutOff = query<[string]>(`
  SELECT n.id FROM nodes n
  JOIN nodes c ON c.workspace_id = n.workspace_id AND c.id = n.container_id
  WHERE n.workspace_id = $1 AND n.trash_root = $2 AND n.trash_root <> '' AND n.kind = 'block'
    AND c.trash_root <> n.trash_root
`);

/** Collects the changes of one commit and computes how they change the index. */
export interface SearchIndexer {
  /** Records a row whose words change although no step of the commit names it. */
  note(id: string): void;
  /** Records a step and returns it in the form to apply. */
  watch(step: Step): Step;
  /** Records that a subtree was trashed, or is about to be restored. */
  move(root: string, trashed: boolean): void;
  /** Returns all recorded changes in the form to write. */
  changedPages(): Promise<ChangedPages>;
}

/** Creates the indexer of one commit. */
export function createSearchIndexer(session: Session, workspace: string): SearchIndexer {
  /** For each changed node's ID, whether this commit created it. */
  const noted = new Map<string, boolean>();
  const moves: Promise<void>[] = [];
  const note = (id: string, isNew = false): void => {
    if (!noted.has(id)) noted.set(id, isNew);
  };
  return {
    note,
    watch(step) {
      if (step.op === "update") note(step.id);
      if (step.op === "inserts") { for (const { node } of step.changes) note(node.id, true); }
      return step.op === "reshape" ? { ...step, onRewritten: note } : step;
    },
    move(root, trashed) {
      const moved = Promise.all([
        markTrashed(session, workspace, root, trashed),
        cutOff.all(session, workspace, root),
      ]).then(([, blocks]) => blocks.forEach(([id]) => note(id)));
      moved.catch(() => {}); // `changedPages` reports the error
      moves.push(moved);
    },
    async changedPages() {
      await Promise.all(moves);
      return await readChanged(session, workspace, noted);
    },
  };
}

/**
 * Reads how these nodes change the index. The map says for each node whether the index is without
 * it. Writes all batches but the last, which it returns.
 */
export async function readChanged(
  session: Session,
  workspace: string,
  noted: ReadonlyMap<string, boolean>,
): Promise<ChangedPages> {
  const ids = [...noted.keys()];
  let changed: ChangedPages = { ids: [], parts: [] };
  for (let at = 0; at < ids.length; at += BATCH) {
    await savePages(session, workspace, changed);
    const batch = ids.slice(at, at + BATCH);
    const fresh = batch.filter((id) => noted.get(id) === true);
    changed = await readPages(session, workspace, { ids: batch, fresh });
  }
  return changed;
}
