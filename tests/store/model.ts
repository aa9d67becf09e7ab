/**
 * A slow and simple store to compare the real ones with.
 *
 * @module
 */
import type {
  Change,
  Content,
  ContentNode,
  DatabaseChange,
  MoveChange,
  Node,
  NodeDoc,
  NodeView,
} from "../../src/content/schema/node.ts";
import type { CommentChange } from "../../src/content/schema/comment.ts";
import type { UploadChange } from "../../src/content/values/uploads.ts";
import type { CommitOutcome, SiblingPosition } from "../../src/store/port.ts";
import type { Gap } from "../../src/content/values/position.ts";

type Nodes = ReadonlyMap<string, Node>;

/** A change of the tree. */
export type TreeChange = Exclude<
  Change,
  DatabaseChange | UploadChange | CommentChange | MoveChange
>;

/** The part of the port that reads and writes the tree, without promises. */
export interface Model {
  commit(workspace: string, changes: readonly TreeChange[]): CommitOutcome;
  node(workspace: string, id: string): NodeView | undefined;
  children(workspace: string, parentId: string): NodeView[];
  content(workspace: string, id: string): Content | undefined;
  gap(workspace: string, parentId: string | null, place: SiblingPosition): Gap | undefined;
}

export function createModel(): Model {
  const workspaces = new Map<string, Nodes>();
  const nodesOf = (workspace: string): Nodes => workspaces.get(workspace) ?? new Map();
  return {
    commit(workspace, changes) {
      let nodes: Nodes | undefined = nodesOf(workspace);
      for (const change of changes) nodes = nodes && applied(nodes, change);
      if (nodes === undefined) return "conflict";
      workspaces.set(workspace, nodes);
      return "committed";
    },
    node(workspace, id) {
      const nodes = nodesOf(workspace);
      const node = nodes.get(id);
      return node && viewOf(nodes, node);
    },
    children(workspace, parentId) {
      const nodes = nodesOf(workspace);
      const parent = nodes.get(parentId);
      return parent === undefined ? [] : companions(nodes, parent).map((n) => viewOf(nodes, n));
    },
    content(workspace, id) {
      const nodes = nodesOf(workspace);
      const node = nodes.get(id);
      if (node === undefined || node.kind === "block") return undefined;
      return { version: node.version, nodes: contentOf(nodes, node).map(toContentNode) };
    },
    gap: (workspace, parentId, place) => gapIn(siblings(nodesOf(workspace), parentId), place),
  };
}

/** Returns the nodes after a change; undefined if it is refused. */
function applied(nodes: Nodes, change: TreeChange): Nodes | undefined {
  if (change.op === "insert") return inserted(nodes, change.node);
  if (change.op === "expectRows") {
    const rows = siblings(nodes, change.databaseId).filter(({ kind, trashRoot }) =>
      kind === "page" && trashRoot === null
    );
    return change.ids.every((id) => rows.some((row) => row.id === id)) ? nodes : undefined;
  }
  if (change.op === "expectChildless") {
    const isMet = siblings(nodes, change.id).every(({ trashRoot }) => trashRoot !== null);
    return isMet ? nodes : undefined;
  }
  const node = nodes.get(change.id);
  if (change.op === "expect") {
    const isInState = node?.trashRoot === null || change.mayBeTrashed === true;
    const isMet = node?.version === change.version && isInState;
    return isMet ? nodes : undefined;
  }
  const edited = { editedTime: change.edit.time, editedBy: change.edit.by };
  if (change.op === "touch") {
    const silent = node === undefined || node.kind === "block" || node.trashRoot !== null;
    return silent ? nodes : replaced(nodes, [grown(node, edited)]);
  }
  if (node === undefined || node.version !== change.version) return undefined;
  if (change.op === "restore") return restored(nodes, node, edited);
  if (node.trashRoot !== null) return undefined;
  if (change.op === "trash") return trashed(nodes, node, edited);
  const { title, doc, hasMentions } = change;
  return replaced(nodes, [grown(node, { title, doc, hasMentions, ...edited })]);
}

function inserted(nodes: Nodes, node: Node): Nodes | undefined {
  const taken = siblings(nodes, node.parentId).some(({ position }) => position === node.position);
  if (nodes.has(node.id) || taken || !canHold(nodes, node.parentId)) return undefined;
  return replaced(nodes, [node]);
}

function trashed(nodes: Nodes, root: Node, edited: Partial<Node>): Nodes {
  const below = subtree(nodes, root).map((node) => grown(node, { trashRoot: root.id }));
  return replaced(nodes, [...below, grown(root, { trashRoot: root.id, ...edited })]);
}

function restored(nodes: Nodes, root: Node, edited: Partial<Node>): Nodes | undefined {
  if (root.trashRoot !== root.id || !canHold(nodes, root.parentId)) return undefined;
  const taken = [...nodes.values()].filter(({ trashRoot }) => trashRoot === root.id);
  const back = taken.map((node) => grown(node, { trashRoot: null }));
  return replaced(nodes, [...back, grown(root, { trashRoot: null, ...edited })]);
}

/** Returns all descendants outside the trash of a node outside the trash. */
function subtree(nodes: Nodes, node: Node): Node[] {
  return companions(nodes, node).flatMap((child) => [child, ...subtree(nodes, child)]);
}

/** Returns all descendants of a node except the content of pages and databases among them. */
function contentOf(nodes: Nodes, node: Node): Node[] {
  return companions(nodes, node).flatMap((child) =>
    child.kind === "block" ? [child, ...contentOf(nodes, child)] : [child]
  );
}

/** Returns a node as the content of a page shows it. */
export function toContentNode(
  { id, kind, type, parentId, position, title, hasMentions, version, doc }: Node,
): ContentNode {
  const length = new TextEncoder().encode(doc).length;
  return { id, kind, type, parentId, position, title, hasMentions, version, length };
}

/** Returns the document of a node. */
export function toDoc({ id, type, doc, version }: Node): NodeDoc {
  return { id, type, doc, version };
}

/** Returns the children that share their parent's trash state. */
function companions(nodes: Nodes, parent: Node): Node[] {
  return siblings(nodes, parent.id).filter(({ trashRoot }) => trashRoot === parent.trashRoot);
}

function siblings(nodes: Nodes, parentId: string | null): Node[] {
  return [...nodes.values()].filter((node) => node.parentId === parentId)
    .sort((a, b) => a.position < b.position ? -1 : 1);
}

function canHold(nodes: Nodes, parentId: string | null): boolean {
  return parentId === null || nodes.get(parentId)?.trashRoot === null;
}

function grown(node: Node, members: Partial<Node>): Node {
  return { ...node, ...members, version: node.version + 1 };
}

function replaced(nodes: Nodes, fresh: readonly Node[]): Nodes {
  return new Map([...nodes, ...fresh.map((node) => [node.id, node] as const)]);
}

function viewOf(nodes: Nodes, node: Node): NodeView {
  return { ...node, hasChildren: companions(nodes, node).length > 0 };
}

function gapIn(nodes: readonly Node[], place: SiblingPosition): Gap | undefined {
  if (place === "start") return { after: null, before: nodes[0]?.position ?? null };
  if (place === "end") return { after: nodes.at(-1)?.position ?? null, before: null };
  const index = nodes.findIndex(({ id, trashRoot }) => id === place.after && trashRoot === null);
  const node = nodes[index];
  return node && { after: node.position, before: nodes[index + 1]?.position ?? null };
}
