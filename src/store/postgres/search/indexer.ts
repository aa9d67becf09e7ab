/**
 * Updating the search index as part of each commit.
 *
 * @module
 */
import type { Step } from "../changes/appliers.ts";
import { query, type Session, statement } from "../query.ts";
import { type ChangedPages, readPages, savePages } from "./pages.ts";

/** Nodes in memory at once. */
const BATCH = 500;

const markTrashed = statement(`
  UPDATE search_parts SET trashed = $3 WHERE workspace_id = $1 AND page_id IN (
    SELECT n.id FROM nodes n
    WHERE n.workspace_id = $1 AND n.trash_root = $2 AND n.trash_root <> '' AND n.kind <> 'block'
  )
`);
// Only blocks whose page stays outside the trash: the others follow their page.
const cutOff = query<[string]>(`
  SELECT n.id FROM nodes n
  JOIN nodes c ON c.workspace_id = n.workspace_id AND c.id = n.container_id
  WHERE n.workspace_id = $1 AND n.trash_root = $2 AND n.trash_root <> '' AND n.kind = 'block'
    AND c.trash_root <> n.trash_root
`);

/** What takes note of the changes of one commit, and tells what they change in the index. */
export interface SearchIndexer {
  /** Takes note of a row that changes though nothing says so. */
  note(id: string): void;
  /** Takes note of a step, and gives it back as it is to be applied. */
  watch(step: Step): Step;
  /** Told once a node and what is below it are in the trash, or before they are taken out of it. */
  move(root: string, trashed: boolean): void;
  /** Everything that is noted, as it is to be written. */
  changedPages(): Promise<ChangedPages>;
}

/** Begins to take note of a commit. */
export function createSearchIndexer(session: Session, workspace: string): SearchIndexer {
  /** Whether the commit made it, by id. */
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
      moved.catch(() => {}); // looked at by `changedPages`
      moves.push(moved);
    },
    async changedPages() {
      await Promise.all(moves);
      return await readChanged(session, workspace, noted);
    },
  };
}

/**
 * What changes in the index with these nodes; with each, whether it is new to it. Where they are many,
 * the first are written already.
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
