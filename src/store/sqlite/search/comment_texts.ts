/**
 * Reading the texts of comments that the word index contains.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import { commentTexts } from "../../../content/comments/comment_doc.ts";
import { type Query, query } from "../query.ts";

/** A comment that a commit changed. */
export interface NotedComment {
  readonly id: string;
  readonly pageId: string;
  /** True if the commit created it. */
  readonly isNew: boolean;
}

/**
 * A comment with its current texts: none if it was deleted, or its block trashed without the page.
 */
export interface TextComment {
  readonly id: string;
  readonly kind: "comment";
  readonly containerId: string;
  readonly isNew: boolean;
  readonly texts: readonly string[];
}

/** Prepares the statement that reads the texts of comments. */
export function createCommentTexts(
  db: DatabaseSync,
): (workspace: string, noted: readonly NotedComment[]) => TextComment[] {
  const shown: Query<[id: string, doc: string]> = query(
    db,
    `SELECT c.id, c.doc FROM json_each(?2) wanted
    CROSS JOIN comments c ON c.workspace_id = ?1 AND c.id = wanted.value
    CROSS JOIN nodes n ON n.workspace_id = ?1 AND n.id = c.node_id
    CROSS JOIN nodes p ON p.workspace_id = ?1 AND p.id = c.page_id
      AND p.trash_root IS n.trash_root`,
  );
  return (workspace, noted) => {
    if (noted.length === 0) return [];
    const ids = noted.map(({ id }) => id);
    const docs = new Map(shown.all(workspace, JSON.stringify(ids)));
    return noted.map(({ id, pageId, isNew }) => {
      const doc = docs.get(id);
      const texts = doc === undefined ? [] : commentTexts(doc);
      return { id, kind: "comment", containerId: pageId, isNew, texts };
    });
  };
}
