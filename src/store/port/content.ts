/**
 * All that is in a page or database.
 *
 * @module
 */
import type { Content, NodeDoc, SmallContent } from "../../content/schema/node.ts";

export interface ContentReader {
  /**
   * Returns all that is in a page or database, read at one moment: the nodes at any depth that share
   * its state, without the content of pages and databases among them. Undefined if there is no page or
   * database with this ID.
   */
  content(workspace: string, id: string): Promise<Content | undefined>;

  /** Returns `content()` with its documents; undefined as well if these are many or long. */
  smallContent(workspace: string, id: string): Promise<SmallContent | undefined>;

  /**
   * Returns the IDs of those nodes of `content()` that show names of others, in any order; undefined if
   * they are many.
   */
  mentioning(workspace: string, id: string): Promise<string[] | undefined>;

  /** Returns the documents of the existing nodes among `ids`, including trashed ones, in any order. */
  docs(workspace: string, ids: readonly string[]): Promise<NodeDoc[]>;
}
