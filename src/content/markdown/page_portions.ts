/**
 * Divides the content of a page into portions that are printed separately.
 *
 * @module
 */
import type { ContentNode } from "../schema/node.ts";

/** Consecutive top-level nodes of a page, with all their descendants. */
export interface Portion {
  /** In document order: parents before their children. */
  readonly nodes: readonly ContentNode[];
  /** The separator between the previous text and this one; empty if a list continues. */
  readonly before: "" | "\n";
  /** The number of the first item, if that is a numbered list item. */
  readonly start: number;
}

/** A portion ends with the top-level node that brings it to this many nodes. */
export const PORTION_NODES = 500;

type Below = ReadonlyMap<string | null, readonly ContentNode[]>;

/** All descendants of a page in document order, in portions. */
export function* portionsOf(pageId: string, nodes: readonly ContentNode[]): Generator<Portion> {
  const below = Map.groupBy(nodes, ({ parentId }) => parentId);
  for (const siblings of below.values()) siblings.sort(byPosition);
  const top = below.get(pageId) ?? [];
  let portion: ContentNode[] = [];
  let header: Pick<Portion, "before" | "start"> = { before: "", start: 1 };
  let inList = 0;
  for (const [index, node] of top.entries()) {
    const goesOn = isSameList(top[index - 1], node);
    inList = goesOn ? inList + 1 : 1;
    if (portion.length === 0) {
      header = { before: index === 0 || goesOn ? "" : "\n", start: inList };
    }
    addBranch(portion, node, below);
    if (portion.length < PORTION_NODES && index < top.length - 1) continue;
    yield { nodes: portion, ...header };
    portion = [];
  }
}

/** Adds a node and its descendants, parents before their children. Iterative, for any depth. */
function addBranch(portion: ContentNode[], root: ContentNode, below: Below): void {
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    portion.push(node);
    const children = node.kind === "block" ? below.get(node.id) : undefined;
    if (children !== undefined) open.push(...children.toReversed());
  }
}

/** Returns whether neighbours are items of the same list. */
function isSameList(previous: ContentNode | undefined, node: ContentNode): boolean {
  const kind = listKind(node);
  return kind !== undefined && kind === listKind(previous);
}

function listKind(node: ContentNode | undefined): "numbers" | "bullets" | undefined {
  if (node?.type === "numbered_list_item") return "numbers";
  return node?.type === "to_do" || node?.type === "bulleted_list_item" ? "bullets" : undefined;
}

function byPosition(a: ContentNode, b: ContentNode): number {
  return a.position < b.position ? -1 : 1;
}
