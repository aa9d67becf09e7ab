/**
 * Which writes may take long.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import type { Change } from "../../content/schema/node.ts";
import { foldedLength } from "../../search/text/fold.ts";
import type { WriteRequest, WritingMethod } from "../writing.ts";
import { type Query, query } from "./query.ts";

/** Changes of a short commit at most, and cells that it inserts: each is a row of several indexes. */
const CHANGES = 100;
/**
 * UTF-16 code units of the documents, whose words are indexed, and of the receipt that a short commit
 * writes at most.
 */
const WRITTEN = 50_000;
/** Links of a row that may be replaced in a short commit: each counts those of its other end. */
const LINKS = 500;
/** Parts of a page that may be rewritten in a short commit, and terms of each. */
const PARTS = 64;
const TERMS = 5_000;
/** The kinds of changes that write many rows of a database. */
const ROWS: ReadonlySet<Change["op"]> = new Set(
  [
    ...["reshape", "writeCells", "deleteCells", "materialize", "unlink"] as const,
    ...["countAllLinks", "countAllRows"] as const,
  ] as const,
);

/** Background work on many pages or documents at a time. No request waits for one of these. */
const BACKGROUND: ReadonlySet<WritingMethod> = new Set(
  [
    ...["saveVectors", "fillSpace", "sweepVectors", "checkDocuments"] as const,
    ...["eraseReceipts", "deleteWorkspaceSlice", "purgeSlice", "expireReceipts"] as const,
    ...["reanalyseSlice", "sealTexts", "mergeWords", "reclaimSpace"] as const,
  ] as const,
);

/** Prepares the estimate whether a write may take more than a few milliseconds. */
export function createLengthEstimator(db: DatabaseSync): (request: WriteRequest) => boolean {
  const isLong = createChangeEstimator(db);
  const longPart: Query<[number]> = query(
    db,
    "SELECT 1 FROM search_parts WHERE workspace_id = ? AND page_id = ? AND length > ? LIMIT 1",
  );
  return ({ method, args }) => {
    if (method !== "commit") return BACKGROUND.has(method);
    const [workspace, changes, receipt] = args;
    return changes.length + cells(changes) > CHANGES ||
      written(changes) + (receipt?.body.length ?? 0) > WRITTEN ||
      changes.some((change) => isLong(workspace, change)) ||
      pagesOf(changes).some((page) => longPart.get(workspace, page, TERMS) !== undefined);
  };
}

/** Returns the pages that new blocks are in: some of them come into a part of it with others. */
function pagesOf(changes: readonly Change[]): string[] {
  const pages = changes.flatMap((change) =>
    change.op === "insert" && change.node.kind === "block" ? change.node.containerId ?? [] : []
  );
  return [...new Set(pages)];
}

function cells(changes: readonly Change[]): number {
  return changes.reduce(
    (sum, change) => sum + (change.op === "insert" ? change.cells?.length ?? 0 : 0),
    0,
  );
}

function written(changes: readonly Change[]): number {
  return changes.reduce(
    (sum, change) => sum + foldedLength(documentOf(change)),
    0,
  );
}

function documentOf(change: Change): string {
  if (change.op === "insert") return change.node.doc;
  if (change.op === "createComment") return change.comment.doc;
  return change.op === "update" || change.op === "updateComment" ? change.doc : "";
}

/** Prepares the estimate whether a change may reach many nodes or much text. */
function createChangeEstimator(db: DatabaseSync): (workspace: string, change: Change) => boolean {
  // A database may change the words of all of its rows, and a block or title those of its page.
  const broad: Query<[number]> = query(
    db,
    `SELECT n.kind = 'database' OR (
      SELECT p.no FROM search_parts p WHERE p.workspace_id = n.workspace_id
        AND p.page_id = CASE n.kind WHEN 'block' THEN n.container_id ELSE n.id END
      LIMIT 1 OFFSET ${PARTS}
    ) IS NOT NULL OR EXISTS (
      SELECT 1 FROM search_parts p WHERE p.workspace_id = n.workspace_id
        AND p.page_id = CASE n.kind WHEN 'block' THEN n.container_id ELSE n.id END
        AND p.length > ${TERMS}
    )
    FROM nodes n WHERE n.workspace_id = ? AND n.id = ?`,
  );
  const child: Query<[number]> = query(
    db,
    "SELECT 1 FROM nodes WHERE workspace_id = ? AND parent_id = ? LIMIT 1",
  );
  const linked = (links: string, mine: string): Query<[number]> =>
    query(
      db,
      `SELECT 1 FROM ${links} WHERE workspace_id = ? AND relation_id = ? AND ${mine} = ?
      LIMIT 1 OFFSET ${LINKS}`,
    );
  const manyLinked = {
    from: linked("links", "from_id"),
    to: linked("links INDEXED BY links_back", "to_id"),
  };
  return (workspace, change) => {
    switch (change.op) {
      case "link": {
        const { relationId, side, id, others } = change;
        return others.length > LINKS ||
          manyLinked[side].get(workspace, relationId, id) !== undefined;
      }
      case "update":
        return broad.get(workspace, change.id)?.[0] === 1;
      case "updateComment":
      case "deleteComment":
        return broad.get(workspace, change.pageId)?.[0] === 1;
      case "move":
        // The links and cells of a row end with its place in a database.
        return change.content !== undefined || child.get(workspace, change.id) !== undefined ||
          broad.get(workspace, change.id)?.[0] === 1;
      case "trash":
      case "restore":
        return child.get(workspace, change.id) !== undefined ||
          broad.get(workspace, change.id)?.[0] === 1;
      default:
        return ROWS.has(change.op);
    }
  };
}
