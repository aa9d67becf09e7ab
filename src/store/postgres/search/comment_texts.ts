/**
 * Reading the texts of comments that the word index contains.
 *
 * @module
 */
import { commentTexts } from "../../../content/comments/comment_doc.ts";
import { query, type Session } from "../query.ts";

/** A comment, with its page. */
export interface CommentRef {
  readonly id: string;
  readonly pageId: string;
}

/** A comment with its current texts: none if it was deleted, or its block trashed without the page. */
export interface TextComment {
  readonly id: string;
  readonly kind: "comment";
  readonly containerId: string;
  readonly texts: readonly string[];
}

const shown = query<[id: string, doc: string]>(`
  SELECT c.id, c.doc FROM comments c
  JOIN nodes n ON n.workspace_id = $1 AND n.id = c.node_id
  JOIN nodes p ON p.workspace_id = $1 AND p.id = c.page_id AND p.trash_root = n.trash_root
  WHERE c.workspace_id = $1 AND c.id = ANY ($2::text[])
`);

/** Reads the texts of these comments, in their order. */
export async function readCommentTexts(
  session: Session,
  workspace: string,
  comments: readonly CommentRef[],
): Promise<TextComment[]> {
  if (comments.length === 0) return [];
  const docs = new Map(await shown.all(session, workspace, comments.map(({ id }) => id)));
  return comments.map(({ id, pageId }) => {
    const doc = docs.get(id);
    const texts = doc === undefined ? [] : commentTexts(doc);
    return { id, kind: "comment", containerId: pageId, texts };
  });
}
