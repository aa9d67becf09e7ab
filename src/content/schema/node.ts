/**
 * Pages, databases and blocks are nodes of a workspace's tree, and all have this form.
 *
 * @module
 */
import type { LinkSide, Schema } from "./property.ts";
import type { Cell, PropertyCell } from "./cells.ts";
import type { CommentChange } from "./comment.ts";
import type { UploadChange } from "../values/uploads.ts";

export type NodeKind = "page" | "database" | "block";

/** The kind of a node's parent; `workspace` has no id. */
export type ParentKind = "workspace" | NodeKind;

export interface Node {
  readonly id: string;
  readonly kind: NodeKind;
  /** The block type; `child_page` for a page, `child_database` for a database. */
  readonly type: string;
  readonly parentKind: ParentKind;
  /** Null at the top level of the workspace. */
  readonly parentId: string | null;
  /** The nearest page or database that contains the node; null at the top level. */
  readonly containerId: string | null;
  /** Fractional index among all siblings, including trashed ones. */
  readonly position: string;
  /** Plain text of a page's or database's title; `""` for a block. */
  readonly title: string;
  /**
   * JSON text: for a block, the value under the key of its type; for a page or database, an object
   * with the members that only it has (`icon`, `cover`, `properties`, …).
   */
  readonly doc: string;
  /**
   * True if `doc` mentions users, pages, databases or uploaded files, whose names and URLs are
   * filled in when it is read.
   */
  readonly hasMentions: boolean;
  /** Incremented by every change that is visible in responses. */
  readonly version: number;
  /** Milliseconds since the epoch. */
  readonly createdTime: number;
  readonly createdBy: string;
  readonly editedTime: number;
  readonly editedBy: string;
  /** The node whose deletion moved this one to the trash; null outside the trash. */
  readonly trashRoot: string | null;
}

/** A node with what depends on other nodes. */
export interface NodeView extends Node {
  /** True if it has a child outside the trash, or in the trash by the same deletion. */
  readonly hasChildren: boolean;
}

/** The content of a node, which an edit replaces. */
export interface NodeContent {
  readonly title: string;
  readonly doc: string;
  readonly hasMentions: boolean;
  /** All cells of a row, in any order; absent from other nodes. */
  readonly cells?: readonly PropertyCell[];
}

/** A node in the content of a page, without its document. */
export interface ContentNode extends
  Pick<
    Node,
    "id" | "kind" | "type" | "parentId" | "position" | "title" | "hasMentions" | "version"
  > {
  /** Bytes of its document. */
  readonly length: number;
}

/** The document of a node, with its version. */
export type NodeDoc = Pick<Node, "id" | "type" | "doc" | "version">;

/** A snapshot of the content of a page or database. */
export interface Content {
  /** The version of the page or database, which every change of its content increments. */
  readonly version: number;
  /** In any order. */
  readonly nodes: readonly ContentNode[];
}

/** A snapshot of the content of a small page or database, with the documents of its nodes. */
export interface SmallContent extends Content {
  readonly kind: Node["kind"];
  /** The documents of blocks, and of pages and databases that show names of others, in any order. */
  readonly docs: readonly NodeDoc[];
}

/** The time and the author of an edit. */
export interface Edit {
  readonly time: number;
  readonly by: string;
}

type NodeState = Pick<
  Node,
  "version" | "createdTime" | "createdBy" | "editedTime" | "editedBy" | "trashRoot"
>;

/** The state of a new node after its first edit. */
export function firstState({ time, by }: Edit): NodeState {
  return {
    version: 1,
    createdTime: time,
    createdBy: by,
    editedTime: time,
    editedBy: by,
    trashRoot: null,
  };
}

/**
 * One step of a commit. The whole commit fails if a new document refers to an upload that has not
 * arrived, or if the stored version of a node differs from `version`, which the caller has read.
 * Plain data, so that a Worker can apply it.
 */
export type Change =
  /**
   * Inserts a node. Its parent must exist outside the trash, or come earlier in the commit. The
   * node of a row comes with its cells.
   */
  | { readonly op: "insert"; readonly node: Node; readonly cells?: readonly PropertyCell[] }
  /** Replaces the content of a node outside the trash. */
  | ({
    readonly op: "update";
    readonly id: string;
    readonly version: number;
    readonly edit: Edit;
  } & NodeContent)
  /** Moves a node and its descendants to the trash. */
  | { readonly op: "trash"; readonly id: string; readonly version: number; readonly edit: Edit }
  /** Restores what the deletion of the node moved to the trash. Its parent must be outside. */
  | { readonly op: "restore"; readonly id: string; readonly version: number; readonly edit: Edit }
  | MoveChange
  /** Marks a page or database as edited because its content was; ignored if it does not exist. */
  | { readonly op: "touch"; readonly id: string; readonly edit: Edit }
  /**
   * Changes nothing, but requires the node to have this version, and to be outside the trash unless it
   * may be in it.
   */
  | {
    readonly op: "expect";
    readonly id: string;
    readonly version: number;
    readonly mayBeTrashed?: true;
  }
  /** Changes nothing, but requires the pages to be rows of this database, outside the trash. */
  | { readonly op: "expectRows"; readonly databaseId: string; readonly ids: readonly string[] }
  /** Changes nothing, but requires the node to have no children outside the trash. */
  | { readonly op: "expectChildless"; readonly id: string }
  | DatabaseChange
  | UploadChange
  | CommentChange;

/**
 * Moves a page outside the trash to another parent outside the trash, which is not below it. The
 * content, if given, replaces that of the page, whose cells and links as a row end.
 */
export interface MoveChange {
  readonly op: "move";
  readonly id: string;
  readonly version: number;
  readonly to: Pick<Node, "parentKind" | "parentId" | "containerId" | "position">;
  readonly content?: NodeContent;
  readonly edit: Edit;
}

/** The cell of a row in this version, which has no text; null if it is to have none. */
export interface MaterializedCell {
  readonly id: string;
  readonly version: number;
  readonly cell: Pick<Cell, "number" | "key"> | null;
}

/** Changes of the data of a database besides its own node. */
export type DatabaseChange =
  /**
   * Sets the rows that a relation of a row shows; on the side `from`, in this order. Existing links
   * stay, and the rows at the other end do not change.
   */
  | {
    readonly op: "link";
    readonly relationId: string;
    readonly side: LinkSide;
    readonly id: string;
    readonly others: readonly string[];
  }
  /** Deletes all links of a relation. */
  | { readonly op: "unlink"; readonly relationId: string }
  /** Counts the links of new rows that the commit does not link. */
  | {
    readonly op: "countLinks";
    readonly relationId: string;
    readonly side: LinkSide;
    readonly rows: readonly string[];
  }
  /** Counts the links of all rows of a database, to which a relation is new. */
  | {
    readonly op: "countAllLinks";
    readonly relationId: string;
    readonly side: LinkSide;
    readonly databaseId: string;
  }
  /** Sets the last number of a row, which must be `from`. */
  | {
    readonly op: "count";
    readonly databaseId: string;
    readonly from: number;
    readonly to: number;
  }
  /** Like `count`, to the number of rows, including trashed ones. */
  | { readonly op: "countAllRows"; readonly databaseId: string; readonly from: number }
  /** Adds this cell of a new property to all rows, including trashed ones. */
  | {
    readonly op: "writeCells";
    readonly databaseId: string;
    readonly propertyId: string;
    readonly cell: Cell;
  }
  /**
   * Deletes all cells of a property, and writes the words of the rows that had a value anew.
   * `keepsWords` is set if search finds no row by these values, or another change of the commit writes
   * their words.
   */
  | {
    readonly op: "deleteCells";
    readonly databaseId: string;
    readonly propertyId: string;
    readonly keepsWords?: true;
  }
  /**
   * Sets the only cell of this property of rows, or deletes it; their versions stay. All rows must
   * exist in these versions, inside or outside the trash.
   */
  | {
    readonly op: "materialize";
    readonly databaseId: string;
    readonly propertyId: string;
    readonly rows: readonly MaterializedCell[];
  }
  /**
   * Rewrites rows, including trashed ones, oldest first. It increments their version and keeps
   * their time of edit. `having` restricts it to rows with such a cell. `rewriteOf` computes the
   * result.
   */
  | {
    readonly op: "reshape";
    readonly databaseId: string;
    /** Milliseconds since the epoch. */
    readonly time: number;
    readonly having?: { readonly propertyId: string; readonly key: string };
    readonly before: Schema;
    readonly after: Schema;
    /** True if rows without a number get one, from 1 in their order. */
    readonly isNumbered: boolean;
  };
