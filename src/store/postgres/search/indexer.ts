/**
 * Keeping search in step: what a commit changed is found once it is committed.
 *
 * @module
 */
import type { Step } from "../changes/appliers.ts";
import { query, type Session, statement } from "../query.ts";
import { markDue } from "./due.ts";
import { readTexts, type TextNode } from "./node_texts.ts";
import { writePages } from "./pages.ts";

/** Nodes in memory at once. */
const BATCH = 500;

const markTrashed = statement(`
  UPDATE search_parts SET trashed = $3 WHERE workspace_id = $1 AND page_id IN (
    SELECT n.id FROM nodes n
    WHERE n.workspace_id = $1 AND n.trash_root = $2 AND n.trash_root <> '' AND n.kind <> 'block'
  )
`);
// Blocks of pages that stay where they are: the others go and come with their page.
const cutOff = query<[string]>(`
  SELECT n.id FROM nodes n
  JOIN nodes c ON c.workspace_id = n.workspace_id AND c.id = n.container_id
  WHERE n.workspace_id = $1 AND n.trash_root = $2 AND n.trash_root <> '' AND n.kind = 'block'
    AND c.trash_root <> n.trash_root
`);

/** What takes note of the changes of one commit, and writes them at its end. */
export interface SearchIndexer {
  /** Takes note of a row that changes though nothing says so. */
  note(id: string): void;
  /** Takes note of a step, and gives it back as it is to be applied. */
  watch(step: Step): Step;
  /** Told once a node and what is below it are in the trash, or before they are taken out of it. */
  moved(root: string, trashed: boolean): Promise<void>;
  /** Writes everything that is noted. */
  flush(): Promise<void>;
}

/** Begins to take note of a commit. */
export function createSearchIndexer(session: Session, workspace: string): SearchIndexer {
  /** Whether the commit made it, by id. */
  const noted = new Map<string, boolean>();
  const note = (id: string, isNew = false): void => {
    if (!noted.has(id)) noted.set(id, isNew);
  };
  return {
    note,
    watch(step) {
      if (step.op === "update") note(step.id);
      if (step.op === "inserts") { for (const { node } of step.changes) note(node.id, true); }
      if (step.op !== "reshape") return step;
      return {
        ...step,
        rewrite(row, index) {
          const content = step.rewrite(row, index);
          if (content !== undefined) note(row.id);
          return content;
        },
      };
    },
    async moved(root, trashed) {
      const [, blocks] = await Promise.all([
        markTrashed(session, workspace, root, trashed),
        cutOff.all(session, workspace, root),
      ]);
      for (const [id] of blocks) note(id);
    },
    flush: () => writeNodes(session, workspace, noted),
  };
}

/** Writes the words of these nodes as they are now; with each, whether it is new to the index. */
export async function writeNodes(
  session: Session,
  workspace: string,
  noted: ReadonlyMap<string, boolean>,
): Promise<void> {
  const ids = [...noted.keys()];
  for (let at = 0; at < ids.length; at += BATCH) {
    const nodes = await readTexts(session, workspace, ids.slice(at, at + BATCH));
    await write(session, workspace, { nodes, noted });
  }
}

interface Noted {
  readonly nodes: readonly TextNode[];
  readonly noted: ReadonlyMap<string, boolean>;
}

async function write(session: Session, workspace: string, { nodes, noted }: Noted): Promise<void> {
  const pages = [...Map.groupBy(nodes, pageOf)].flatMap(([id, own]) => {
    if (id === null) return [];
    const isAppended = own.every((node) => node.id !== id && noted.get(node.id) === true);
    return [{ id, nodes: own, isAppended }];
  });
  if (pages.length === 0) return;
  await Promise.all([
    writePages(session, workspace, pages),
    markDue(session, workspace, pages.map(({ id }) => id)),
  ]);
}

/** The page or database that a node's words are found in. */
function pageOf({ id, kind, containerId }: TextNode): string | null {
  return kind === "block" ? containerId : id;
}
