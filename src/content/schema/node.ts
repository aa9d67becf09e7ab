/**
 * The one shape of content: pages, databases and blocks are nodes of a workspace's tree.
 *
 * @module
 */
import type { LinkSide, Schema } from "./property.ts";
import type { Cell, PropertyCell } from "./cells.ts";
import type { UploadChange } from "../values/uploads.ts";

export type NodeKind = "page" | "database" | "block";

/** What a node hangs from; `workspace` has no id. */
export type ParentKind = "workspace" | NodeKind;

export interface Node {
  readonly id: string;
  readonly kind: NodeKind;
  /** The block type: `paragraph`, …; `child_page` of a page, `child_database` of a database. */
  readonly type: string;
  readonly parentKind: ParentKind;
  /** Null at the top of the workspace. */
  readonly parentId: string | null;
  /** The nearest page or database above, whose content this is; null at the top. */
  readonly containerId: string | null;
  /** Fractional index among all siblings, trashed ones too. */
  readonly position: string;
  /** Plain text of a page's or database's title, `""` of a block. */
  readonly title: string;
  /**
   * Ready JSON: of a block the value of its type's key, of a page or database an object with the
   * members only it has (`icon`, `cover`, `properties`, …).
   */
  readonly doc: string;
  /**
   * Whether `doc` mentions users, pages, databases or files of ours, whose names and addresses are
   * filled in when it is read.
   */
  readonly hasMentions: boolean;
  /** Grows by one with every change that shows in an answer. */
  readonly version: number;
  /** Milliseconds since the epoch. */
  readonly createdTime: number;
  readonly createdBy: string;
  readonly editedTime: number;
  readonly editedBy: string;
  /** The node whose deletion took this one along; null while it lives. */
  readonly trashRoot: string | null;
}

/** A node as it is read: with what depends on others. */
export interface NodeView extends Node {
  /** Whether it has a child that shares its state: alive with it, or in the trash by the same deletion. */
  readonly hasChildren: boolean;
}

/** What of a node an edit replaces. */
export interface NodeContent {
  readonly title: string;
  readonly doc: string;
  readonly hasMentions: boolean;
  /** All cells of a row of a database, in no order; left out of every other node. */
  readonly cells?: readonly PropertyCell[];
}

/** A node as a part of its page's content: where it stands there, and all of it but its document. */
export type ContentNode = Pick<
  Node,
  "id" | "kind" | "type" | "parentId" | "position" | "title" | "hasMentions" | "version"
>;

/** The document of a node, and the version that it is of. */
export type NodeDoc = Pick<Node, "id" | "type" | "doc" | "version">;

/** What is in a page or database at one moment. */
export interface Content {
  /** The version of the page or database itself, which grows whenever something in it changes. */
  readonly version: number;
  /** In no order. */
  readonly nodes: readonly ContentNode[];
}

/** When and by whom an edit was made. */
export interface Edit {
  readonly time: number;
  readonly by: string;
}

type NodeState = Pick<
  Node,
  "version" | "createdTime" | "createdBy" | "editedTime" | "editedBy" | "trashRoot"
>;

/** What every new node begins with, as its first edit made it. */
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
 * One step of a commit. What a document that is written refers to must be uploads that arrived: else
 * nothing of the commit happens. `version` is the version that the decision was made on: where the stored
 * one differs, nothing of the commit happens. Plain data, so that another thread can apply it.
 */
export type Change =
  /**
   * A new node; its parent must live (a node earlier in the same commit counts). A row of a database
   * brings its cells along.
   */
  | { readonly op: "insert"; readonly node: Node; readonly cells?: readonly PropertyCell[] }
  /** New content of a living node. */
  | ({
    readonly op: "update";
    readonly id: string;
    readonly version: number;
    readonly edit: Edit;
  } & NodeContent)
  /** Takes a living node and all that lives below it to the trash. */
  | { readonly op: "trash"; readonly id: string; readonly version: number; readonly edit: Edit }
  /** Brings back exactly what the node's own deletion took; its parent must live. */
  | { readonly op: "restore"; readonly id: string; readonly version: number; readonly edit: Edit }
  /** Marks a page or database as edited because its content was; silent where it is gone. */
  | { readonly op: "touch"; readonly id: string; readonly edit: Edit }
  /** Changes nothing: the node, which the decision was made on, must live and have this version. */
  | { readonly op: "expect"; readonly id: string; readonly version: number }
  | DatabaseChange
  | UploadChange;

/** Changes of what belongs to a database beside its own node. */
export type DatabaseChange =
  /**
   * From here on a row's relation shows exactly these rows, on the side `from` in this order. Links
   * that were there already are kept; the rows at the other end stay as they are.
   */
  | {
    readonly op: "link";
    readonly relationId: string;
    readonly side: LinkSide;
    readonly id: string;
    readonly others: readonly string[];
  }
  /** All links of a relation vanish. */
  | { readonly op: "unlink"; readonly relationId: string }
  /** The last number given to a row, which must be `from` now; `rows` is the number of its rows. */
  | {
    readonly op: "count";
    readonly databaseId: string;
    readonly from: number;
    readonly to: number | "rows";
  }
  /** Gives every row, trashed ones too, this one cell of a new property. */
  | {
    readonly op: "fill";
    readonly databaseId: string;
    readonly propertyId: string;
    readonly cell: Cell;
  }
  /** All cells of a property vanish. */
  | { readonly op: "clear"; readonly databaseId: string; readonly propertyId: string }
  /**
   * Rewrites rows, trashed ones too, oldest first, and raises their version; their time of edit
   * stays. `having` restricts it to those with such a cell. What becomes of a row, `rewriteOf` says.
   */
  | {
    readonly op: "reshape";
    readonly databaseId: string;
    /** Milliseconds since the epoch. */
    readonly time: number;
    readonly having?: { readonly propertyId: string; readonly key: string };
    readonly before: Schema;
    readonly after: Schema;
    /** Whether rows get a number, from 1 on in their order, where they have none. */
    readonly isNumbered: boolean;
  };
