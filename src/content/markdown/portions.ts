/**
 * The content of a page in portions, each of which is printed by itself.
 *
 * @module
 */
import type { ContentNode } from "../schema/node.ts";

/** Neighbours at the top of a page, and all that is below them. */
export interface Portion {
  /** In document order: parents before their children. */
  readonly nodes: readonly ContentNode[];
  /** What stands between its text and the one before: a list that was cut goes on. */
  readonly before: "" | "\n";
  /** The number of a numbered item that stands first. */
  readonly start: number;
}

/** Nodes from which on a page has more than one portion. */
export const PORTION = 500;

type Below = ReadonlyMap<string | null, readonly ContentNode[]>;

/** All that is below a page, whatever its size, in the order of the page. */
export function* portionsOf(pageId: string, nodes: readonly ContentNode[]): Generator<Portion> {
  const below = Map.groupBy(nodes, ({ parentId }) => parentId);
  for (const siblings of below.values()) siblings.sort(byPosition);
  const top = below.get(pageId) ?? [];
  let portion: ContentNode[] = [];
  let place: Pick<Portion, "before" | "start"> = { before: "", start: 1 };
  let inList = 0;
  for (const [index, node] of top.entries()) {
    const goesOn = isSameList(top[index - 1], node);
    inList = goesOn ? inList + 1 : 1;
    if (portion.length === 0) {
      place = { before: index === 0 || goesOn ? "" : "\n", start: inList };
    }
    addBranch(portion, node, below);
    if (portion.length < PORTION && index < top.length - 1) continue;
    yield { nodes: portion, ...place };
    portion = [];
  }
}

/** Adds a node and all below it, parents before their children; no depth is too deep. */
function addBranch(portion: ContentNode[], root: ContentNode, below: Below): void {
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    portion.push(node);
    const children = node.kind === "block" ? below.get(node.id) : undefined;
    if (children !== undefined) open.push(...children.toReversed());
  }
}

/** Whether neighbours are items of one list. */
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
