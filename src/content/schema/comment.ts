/**
 * Comments on pages and blocks. A comment has no state of its own: it is in the trash, and comes
 * back, with its page or block.
 *
 * @module
 */
import type { Edit, NodeKind } from "./node.ts";

export interface Comment {
  readonly id: string;
  /** The ID that a comment and all replies to it share. */
  readonly discussionId: string;
  /** The page or block that it is on. */
  readonly nodeId: string;
  /** The page or database that contains the node, or the node itself if it is one. */
  readonly pageId: string;
  /** JSON text of a `CommentDoc`. */
  readonly doc: string;
  /** True if `doc` mentions users, pages, databases or uploaded files. */
  readonly hasMentions: boolean;
  readonly version: number;
  /** Milliseconds since the epoch. */
  readonly createdTime: number;
  readonly createdBy: string;
  readonly editedTime: number;
  readonly editedBy: string;
}

/** A comment, with the kind of the node that it is on. */
export interface CommentView extends Comment {
  readonly nodeKind: NodeKind;
  /** True if its page or block is in the trash. */
  readonly inTrash: boolean;
}

/** The place of a comment in a list: comments are ordered by creation, then by ID. */
export type CommentCursor = Pick<Comment, "createdTime" | "id">;

/** Changes of comments. All fail if the node of the comment is in the trash. */
export type CommentChange =
  /** Inserts a comment on an existing page or block. */
  | { readonly op: "createComment"; readonly comment: Comment }
  /** Replaces the document of a comment that has this version. */
  | ({
    readonly op: "updateComment";
    readonly version: number;
    readonly edit: Edit;
  } & Pick<Comment, "id" | "pageId" | "doc" | "hasMentions">)
  /** Deletes a comment for good. */
  | ({
    readonly op: "deleteComment";
    readonly version: number;
    /** Milliseconds since the epoch. */
    readonly time: number;
  } & Pick<Comment, "id" | "pageId">);
