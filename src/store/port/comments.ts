/**
 * Comments on pages and blocks.
 *
 * @module
 */
import type { CommentCursor, CommentView } from "../../content/schema/comment.ts";

export interface CommentListOptions {
  /** Only comments after this one. */
  readonly after?: CommentCursor | undefined;
  /** At most this many. */
  readonly limit: number;
}

export interface CommentReader {
  /** Returns the existing comments among `ids`, also on nodes in the trash, in any order. */
  commentsById(workspace: string, ids: readonly string[]): Promise<CommentView[]>;

  /**
   * Returns the comments on a page or block itself, the oldest first. Returns fewer than `limit` if
   * their documents are long: it stops once they fill a page, and returns one comment more.
   */
  nodeComments(
    workspace: string,
    nodeId: string,
    options: CommentListOptions,
  ): Promise<CommentView[]>;

  /**
   * Returns the comments on a page and on those blocks of it that share its state: outside the trash
   * with it, or in the trash by the same deletion. The oldest first, and as many as for a node.
   */
  pageComments(
    workspace: string,
    pageId: string,
    options: CommentListOptions,
  ): Promise<CommentView[]>;

  /** Returns the oldest comment of a discussion; undefined if there is none. */
  discussionStart(workspace: string, discussionId: string): Promise<CommentView | undefined>;
}
