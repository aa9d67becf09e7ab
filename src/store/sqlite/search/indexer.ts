/**
 * Updating the search index as part of each commit.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import type { Node } from "../../../content/schema/node.ts";
import { batchesOf, type SizedNode } from "../../batches.ts";
import { type Query, query } from "../query.ts";
import type { Deferred } from "../connection.ts";
import { createDueMarker } from "./due.ts";
import { createCommentTexts, type NotedComment, type TextComment } from "./comment_texts.ts";
import { createNodeTexts, type NotedNode, type TextNode } from "./node_texts.ts";
import { createPageWriter } from "./pages.ts";

/** Nodes in memory at once. */
const BATCH = 500;
/** Nodes whose words take some milliseconds, and bytes of their documents. */
const MANY = 200;
const LONG = 1_000_000;

/**
 * Notes the changes of one commit and writes them to the index at its end. The words of new pages
 * wait for the end of the transaction, so that commits that share one write them in bulk.
 */
export interface SearchIndexer extends Deferred {
  /** A node was made. */
  made(node: Node): void;
  /** A node has other texts. */
  changed(node: SizedNode): void;
  /**
   * Called before `changed()` if the title of a node may have changed. The steps write it to all parts of
   * a long page but the first.
   */
  retitled(workspace: string, id: string, title: string): Generator<void, void, void>;
  /** A comment was created, changed or deleted. */
  commented(comment: NotedComment): void;
  /**
   * Called after a page got another parent. The steps change it and all pages below it, but for `from`
   * that were done before; each yields how many are.
   */
  moved(workspace: string, id: string, from?: number): Generator<number, void, void>;
  /**
   * Finds the blocks that are in the trash by this deletion while their page is not. The steps that it
   * returns index them, and their comments, in whichever state they are then; each yields how many are
   * done.
   */
  cutOff(workspace: string, root: string, options: CutOffOptions): Generator<number, void, void>;
  /** Starts a new commit and discards the notes of the last one. */
  begin(): void;
  /** Returns whether so much is noted that to write it takes some milliseconds. */
  isFull(): boolean;
  /** Writes everything that is noted, or leaves it for the end of the transaction. */
  flush(workspace: string): void;
}

export interface CutOffOptions {
  /** True to index all blocks of that page outside the trash as well. */
  readonly all?: boolean;
  /** Number of those that were done before. */
  readonly from?: number | undefined;
}

type NotedNodes = ReadonlyMap<string, NotedNode>;

/** Prepares the statements that keep search in step. */
export function createSearchIndexer(db: DatabaseSync): SearchIndexer {
  const { noted, comments, note, noteComment, isFull, clear } = createNotes();
  const pages = createPageWriter(db);
  const write = createNodeWriter(db, pages);
  const findCutOff = createCutOffReader(db);
  // New and waiting nodes may be in or below a node that went to the trash or was moved.
  let hasNewState = false;
  const writeNodes = (workspace: string, nodes: readonly NotedNode[]): void => {
    for (let at = 0; at < nodes.length; at += BATCH) write(workspace, nodes.slice(at, at + BATCH));
  };
  const waiting = createWaitingNodes(writeNodes);
  return {
    made(node) {
      const living = node.trashRoot === null ? { node } : {};
      noted.set(node.id, { id: node.id, isNew: true, ...living });
    },
    changed: ({ id, length }) => note(id, length),
    *moved(workspace, id, from) {
      hasNewState = true;
      note(id);
      yield* pages.move(workspace, id, from);
    },
    commented: noteComment,
    retitled: pages.retitle,
    cutOff(workspace, root, { all = false, from = 0 }) {
      return inBatches(findCutOff(workspace, root, all), from, (one) => {
        hasNewState = true;
        if ("pageId" in one) noteComment(one, one.length);
        else note(one.id, one.length);
      });
    },
    begin() {
      clear();
      hasNewState = false;
    },
    isFull,
    flush(workspace) {
      const isInsert = comments.size === 0 && !hasNewState;
      if (isInsert && waiting.take(workspace, noted)) return;
      // Once for the commit, because it may trash every block of a page.
      if (hasNewState) { for (const id of noted.keys()) note(id); }
      // This commit may have changed any of what waits, so that is read again.
      for (const id of waiting.ids(workspace)) noted.set(id, { id, isNew: true });
      writeNodes(workspace, inNumberOrder([...noted.values()]));
      // After the blocks, so that a new page has its parts.
      const inOrder = inNumberOrder([...comments.values()]);
      for (let at = 0; at < inOrder.length; at += BATCH) {
        write(workspace, [], inOrder.slice(at, at + BATCH));
      }
      waiting.remove(workspace);
    },
    beforeCommit: waiting.beforeCommit,
    discard: waiting.discard,
  };
}

/** Notes of nodes and comments. Each is noted once, and is new if it was at first. */
function createNotes() {
  const noted = new Map<string, NotedNode>();
  const comments = new Map<string, NotedComment>();
  // Bytes of the documents whose length is known. That of the others is bounded by their request.
  let length = 0;
  return {
    noted,
    comments,
    // A node that changes in the commit that created it is read again.
    note(id: string, bytes = 0): void {
      noted.set(id, { id, isNew: noted.get(id)?.isNew ?? false });
      length += bytes;
    },
    noteComment(comment: NotedComment, bytes = 0): void {
      const isNew = comments.get(comment.id)?.isNew ?? comment.isNew;
      comments.set(comment.id, { ...comment, isNew });
      length += bytes;
    },
    isFull: () => noted.size + comments.size >= MANY || length >= LONG,
    clear(): void {
      noted.clear();
      comments.clear();
      length = 0;
    },
  };
}

/** Does work for each node from an index on; each step is a batch, and yields the index behind it. */
function* inBatches<Item extends SizedNode>(
  items: readonly Item[],
  from: number,
  work: (item: Item) => void,
): Generator<number, void, void> {
  let end = from;
  for (const batch of batchesOf(items.slice(from), BATCH)) {
    batch.forEach(work);
    yield end += batch.length;
  }
}

/** New nodes of new pages, which wait for the end of the transaction. */
interface WaitingNodes extends Deferred {
  /** Takes the nodes of a commit, unless some of them are old or in old pages. */
  take(workspace: string, noted: NotedNodes): boolean;
  ids(workspace: string): Iterable<string>;
  remove(workspace: string): void;
}

function createWaitingNodes(
  writeNodes: (workspace: string, nodes: readonly NotedNode[]) => void,
): WaitingNodes {
  const waiting = new Map<string, NotedNodes>();
  const nodesOf = (workspace: string): NotedNodes => waiting.get(workspace) ?? new Map();
  return {
    take(workspace, noted) {
      const before = nodesOf(workspace);
      if (!areOfNewPages(noted, before)) return false;
      waiting.set(workspace, new Map([...before, ...noted]));
      return true;
    },
    ids: (workspace) => nodesOf(workspace).keys(),
    remove: (workspace) => void waiting.delete(workspace),
    beforeCommit() {
      for (const [workspace, nodes] of waiting) writeNodes(workspace, [...nodes.values()]);
      waiting.clear();
    },
    discard: () => waiting.clear(),
  };
}

/**
 * Returns whether nodes are new and in pages that are new, so that no part of the index is about
 * them.
 */
function areOfNewPages(noted: NotedNodes, waiting: NotedNodes): boolean {
  const isNewPage = (id: string | null | undefined): boolean => {
    const known = noted.get(id ?? "") ?? waiting.get(id ?? "");
    return known?.node !== undefined && known.node.kind !== "block";
  };
  return noted.values().every(({ isNew, node }) =>
    isNew && node !== undefined && (node.kind !== "block" || isNewPage(node.containerId))
  );
}

/**
 * Prepares the statements that find the blocks of a deletion whose page stays outside the trash,
 * with the comments on them: the others follow their page. They are those in the page of the root, if
 * that is a block.
 */
function createCutOffReader(
  db: DatabaseSync,
): (workspace: string, root: string, all: boolean) => (SizedNode | (SizedNode & NotedComment))[] {
  const container: Query<[string]> = query(
    db,
    "SELECT container_id FROM nodes WHERE workspace_id = ? AND id = ? AND kind = 'block'",
  );
  const within = `n.workspace_id = ?1 AND n.container_id = ?2 AND n.trash_root IS ?3
    AND n.kind = 'block'`;
  const blocks: Query<[id: string, length: number, rowid: number]> = query(
    db,
    `SELECT n.id, octet_length(n.doc), n.rowid FROM nodes n INDEXED BY nodes_in_container WHERE ${within}`,
  );
  const comments: Query<[id: string, length: number, pageId: string]> = query(
    db,
    `SELECT m.id, octet_length(m.doc), m.page_id FROM nodes n INDEXED BY nodes_in_container
    CROSS JOIN comments m ON m.workspace_id = ?1 AND m.node_id = n.id WHERE ${within}`,
  );
  return (workspace, root, all) => {
    const [page] = container.get(workspace, root) ?? [];
    if (page === undefined) return [];
    const states = all ? [root, null] : [root];
    // In an order that stays when they are restored.
    return [
      ...states.flatMap((state) => blocks.all(workspace, page, state))
        .sort(([, , a], [, , b]) => a - b).map(([id, length]) => ({ id, length })),
      ...states.flatMap((state) => comments.all(workspace, page, state))
        .map(([id, length, pageId]) => ({ id, length, pageId, isNew: false })).sort(byId),
    ];
  };
}

/**
 * Orders the nodes from before the commit by ID, which is nearly the order of their numbers in the
 * index, then what is new: FTS5 writes out all that it holds whenever it is given a lower number
 * than the last.
 */
function inNumberOrder<T extends Noted>(nodes: readonly T[]): T[] {
  const older = nodes.filter(({ isNew }) => !isNew);
  return [...older.sort(byId), ...nodes.filter(({ isNew }) => isNew)];
}

/** A node or comment. */
type Noted = Pick<NotedNode, "id" | "isNew">;

function byId(a: Noted, b: Noted): number {
  return a.id < b.id ? -1 : 1;
}

/** Prepares the statements that index the current words of some nodes and comments. */
export function createNodeWriter(
  db: DatabaseSync,
  pages = createPageWriter(db),
): (
  workspace: string,
  noted: readonly NotedNode[],
  comments?: readonly NotedComment[],
) => void {
  const read = createNodeTexts(db);
  const readComments = createCommentTexts(db);
  const markDue = createDueMarker(db);
  return (workspace, noted, comments = []) => {
    const texts = [...read(workspace, noted), ...readComments(workspace, comments)];
    const byPage = new Map<string, (TextNode | TextComment)[]>();
    for (const one of texts) {
      const pageId = pageOf(one);
      if (pageId !== null) byPage.getOrInsertComputed(pageId, () => []).push(one);
    }
    pages.write(workspace, byPage);
    // One by one: a statement that writes several rows begins a savepoint, which splits the words.
    for (const pageId of byPage.keys()) markDue(workspace, pageId);
  };
}

/** The page or database that a node's words are found in. */
function pageOf({ id, kind, containerId }: TextNode | TextComment): string | null {
  return kind === "block" || kind === "comment" ? containerId : id;
}
