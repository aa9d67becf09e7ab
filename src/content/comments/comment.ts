/**
 * New comments, and comments after an edit.
 *
 * @module
 */
import type { Comment, CommentChange } from "../schema/comment.ts";
import type { Edit, Node } from "../schema/node.ts";
import { hasMentions, type RichText } from "../values/rich_text.ts";
import { type CommentDoc, parseCommentDoc, type StoredDisplayName } from "./comment_doc.ts";
import type { DisplayNameInput } from "./comment_input.ts";

export interface NewComment {
  readonly id: string;
  readonly discussionId: string;
  readonly node: Pick<Node, "id" | "kind" | "containerId">;
  readonly doc: CommentDoc;
  readonly edit: Edit;
}

/** Creates a comment on a page or block. */
export function newComment({ id, discussionId, node, doc, edit }: NewComment): Comment {
  return {
    id,
    discussionId,
    nodeId: node.id,
    pageId: (node.kind === "block" ? node.containerId : node.id) ?? node.id,
    ...contentOf(doc),
    version: 1,
    createdTime: edit.time,
    createdBy: edit.by,
    editedTime: edit.time,
    editedBy: edit.by,
  };
}

/** Returns the change that replaces the text of a comment. */
export function editComment(
  comment: Comment,
  richText: RichText,
  edit: Edit,
): Extract<CommentChange, { readonly op: "updateComment" }> {
  const { id, pageId, version, doc } = comment;
  const content = contentOf({ ...parseCommentDoc(doc), rich_text: richText });
  return { op: "updateComment", id, pageId, version, ...content, edit };
}

/** The stored form of a display name; by default that of the author. */
export function toDisplayName(
  input: DisplayNameInput | undefined,
  author: "person" | "bot",
): StoredDisplayName {
  if (input?.type === "custom") return { type: "custom", name: input.custom.name };
  return { type: input?.type ?? (author === "bot" ? "integration" : "user") };
}

function contentOf(doc: CommentDoc): Pick<Comment, "doc" | "hasMentions"> {
  return {
    doc: JSON.stringify(doc),
    hasMentions: hasMentions(doc.rich_text) || doc.attachments.length > 0,
  };
}
