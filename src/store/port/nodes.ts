/**
 * Nodes: pages, databases and blocks, one by one and as children of a parent.
 *
 * @module
 */
import type { NodeView } from "../../content/schema/node.ts";
import type { Gap } from "../../content/values/position.ts";

/** The position of new children among their siblings. */
export type SiblingPosition = "start" | "end" | { readonly after: string };

export interface ChildrenOptions {
  /** Only children after this position. */
  readonly after?: string;
  /** At most this many. */
  readonly limit: number;
}

/** The members of a block that tell, together, whether what it shows has changed. */
export type BlockVersion = Pick<NodeView, "version" | "hasChildren">;

export interface NodeReader {
  /** Returns the node, in the trash or not; undefined if the workspace has no node with this ID. */
  node(workspace: string, id: string): Promise<NodeView | undefined>;

  /**
   * Returns the versions of the existing nodes among `ids` alone: the cheapest way to learn whether
   * a cached reply is still right.
   */
  versions(workspace: string, ids: readonly string[]): Promise<ReadonlyMap<string, number>>;

  /** Like `versions()`, for blocks: their versions do not change with their children. */
  blockVersions(
    workspace: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, BlockVersion>>;

  /**
   * Returns the existing nodes among `ids`, all different, in their order and including trashed
   * ones. Stops once their documents fill a page, and returns one node more.
   */
  firstNodes(workspace: string, ids: readonly string[]): Promise<NodeView[]>;

  /**
   * Returns children, in order, that share their parent's state: outside the trash with it, or in
   * the trash by the same deletion. Empty if the parent does not exist. Returns fewer than `limit`
   * if their documents are long: it stops once they fill a page, and returns one child more.
   */
  children(workspace: string, parentId: string, options: ChildrenOptions): Promise<NodeView[]>;

  /**
   * Returns the titles of the existing pages and databases among `ids`, as mentions show them: the
   * beginning of a long one, which others may mention any number of times.
   */
  titles(workspace: string, ids: readonly string[]): Promise<Map<string, string>>;

  /** Returns those of these IDs whose nodes exist outside the trash. */
  living(workspace: string, ids: readonly string[]): Promise<ReadonlySet<string>>;

  /** Returns those of these IDs whose nodes are below another node, at any depth. */
  below(workspace: string, ids: readonly string[], root: string): Promise<ReadonlySet<string>>;

  /**
   * Returns how deep a node is: 1 at the top of the workspace, 0 if it does not exist. Counts no more
   * than one node beyond the limit.
   */
  depth(workspace: string, id: string): Promise<number>;

  /**
   * Returns the gap for new children among a parent's children, including trashed ones. A null
   * parent is the top of the workspace. Undefined if `after` names no child of that parent outside
   * the trash.
   */
  gap(workspace: string, parentId: string | null, place: SiblingPosition): Promise<Gap | undefined>;
}
