/**
 * Updates the word index as part of each commit.
 *
 * @module
 */
import { batchesOf, type SizedNode } from "../../batches.ts";
import type { Step } from "../changes/appliers.ts";
import { query, type Session } from "../query.ts";
import { type ChangedPages, movePages, NO_PAGES, readPages, savePages } from "./pages.ts";

/** Nodes of a batch. */
const BATCH = 500;

// Only blocks whose page is not trashed with them: what is found by the others, their page hides.
const cutOff = query<[id: string, length: number]>(`
  SELECT n.id, octet_length(n.doc) FROM nodes n
  JOIN nodes c ON c.workspace_id = n.workspace_id AND c.id = n.container_id
  WHERE n.workspace_id = $1 AND n.trash_root = $2 AND n.trash_root <> '' AND n.kind = 'block'
    AND c.trash_root <> n.trash_root
`);

const cutOffComments = query<[id: string, length: number, pageId: string]>(`
  SELECT m.id, octet_length(m.doc), m.page_id FROM nodes n
  JOIN comments m ON m.workspace_id = n.workspace_id AND m.node_id = n.id
  JOIN nodes c ON c.workspace_id = n.workspace_id AND c.id = m.page_id
  WHERE n.workspace_id = $1 AND n.trash_root = $2 AND n.trash_root <> '' AND n.kind = 'block'
    AND c.trash_root <> n.trash_root
`);

/** A changed node or comment. */
export interface Note {
  /** True if the commit created it. */
  readonly isNew: boolean;
  /** Bytes of its document, or characters where it is new; 0 if a commit has few like it. */
  readonly length: number;
  /** The page of a comment; absent from nodes. */
  readonly pageId?: string;
}

/** Collects the changes of one commit and computes how they change the index. */
export interface SearchIndexer {
  /** Records a row whose words change although no step of the commit names it. */
  note(row: SizedNode): void;
  /** Records a step and returns it in the form to apply. */
  watch(step: Step): Step;
  /** Records that a subtree was trashed, or is about to be restored. */
  move(root: string): void;
  /** Returns all recorded changes in the form to write. */
  changedPages(): Promise<ChangedPages>;
}

/** Creates the indexer of one commit. */
export function createSearchIndexer(session: Session, workspace: string): SearchIndexer {
  /** Changed nodes and comments by ID. */
  const noted = new Map<string, Note>();
  const movedPages: string[] = [];
  const moves: Promise<void>[] = [];
  const note = ({ id, ...one }: SizedNode & Partial<Note>): void => {
    if (!noted.has(id)) noted.set(id, { isNew: false, ...one });
  };
  return {
    note,
    watch(step) {
      if (step.op === "update") note({ id: step.id, length: step.doc.length });
      if (step.op === "move") {
        note({ id: step.id, length: 0 });
        movedPages.push(step.id);
      }
      if (step.op === "inserts") {
        for (const { node } of step.changes) {
          note({ id: node.id, length: node.doc.length, isNew: true });
        }
      }
      const comment = commentIn(step);
      if (comment !== undefined) note(comment);
      return step.op === "reshape" ? { ...step, onNewTexts: note } : step;
    },
    move(root) {
      const moved = Promise.all([
        cutOff.all(session, workspace, root),
        cutOffComments.all(session, workspace, root),
      ]).then(([blocks, comments]) => {
        for (const [id, length] of blocks) note({ id, length });
        for (const [id, length, pageId] of comments) note({ id, length, pageId });
      });
      moved.catch(() => {}); // `changedPages` reports the error
      moves.push(moved);
    },
    async changedPages() {
      await Promise.all(moves);
      // Before the parts are read.
      for (const id of movedPages) await movePages(session, workspace, id);
      return await readChanged(session, workspace, noted);
    },
  };
}

/** The comment that a step changes. */
function commentIn(step: Step): SizedNode & Note | undefined {
  if (step.op === "createComment") {
    const { id, pageId, doc } = step.comment;
    return { id, pageId, length: doc.length, isNew: true };
  }
  if (step.op !== "updateComment" && step.op !== "deleteComment") return undefined;
  return { id: step.id, pageId: step.pageId, length: 0, isNew: false };
}

/**
 * Reads how these nodes and comments change the index. The map says for each whether the index is
 * without it. Writes all batches but the last, which it returns.
 */
export async function readChanged(
  session: Session,
  workspace: string,
  noted: ReadonlyMap<string, Note>,
): Promise<ChangedPages> {
  const all = [...noted].map(([id, one]) => ({ id, ...one }));
  let changed = NO_PAGES;
  for (const batch of batchesOf(all, BATCH)) {
    await savePages(session, workspace, changed);
    changed = await readPages(session, workspace, {
      ids: batch.filter(({ pageId }) => pageId === undefined).map(({ id }) => id),
      comments: batch.flatMap(({ id, pageId }) => pageId === undefined ? [] : [{ id, pageId }]),
      fresh: batch.filter(({ isNew }) => isNew).map(({ id }) => id),
    });
  }
  return changed;
}
