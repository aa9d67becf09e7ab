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

/** The documents of this many nodes, and some more, are loaded at once. */
export const PORTION_NODES = 500;
/** A portion is printed once its documents have this many UTF-16 code units: others wait for it. */
export const PORTION_LENGTH = 250_000;

type Below = ReadonlyMap<string | null, readonly ContentNode[]>;

/** The top-level nodes of a page in order, each with its descendants as a portion of its own. */
export function* branchesOf(pageId: string, nodes: readonly ContentNode[]): Generator<Portion> {
  const below = Map.groupBy(nodes, ({ parentId }) => parentId);
  for (const siblings of below.values()) siblings.sort(byPosition);
  let previous: ContentNode | undefined;
  let inList = 0;
  for (const node of below.get(pageId) ?? []) {
    const goesOn = isSameList(previous, node);
    inList = goesOn ? inList + 1 : 1;
    const before = previous === undefined || goesOn ? "" : "\n";
    yield { nodes: branchOf(node, below), before, start: inList };
    previous = node;
  }
}

/** Divides items into groups, each of which ends with the item that brings it to this size. */
export function* gathered<T>(
  items: Iterable<T>,
  least: number,
  sizeOf: (item: T) => number,
): Generator<T[]> {
  let group: T[] = [];
  let size = 0;
  for (const item of items) {
    group.push(item);
    size += sizeOf(item);
    if (size < least) continue;
    yield group;
    group = [];
    size = 0;
  }
  if (group.length > 0) yield group;
}

/** Joins consecutive portions. */
export function joined(portions: readonly Portion[]): Portion {
  const { before, start } = portions[0] ?? EMPTY;
  return { nodes: portions.flatMap(({ nodes }) => nodes), before, start };
}

const EMPTY: Portion = { nodes: [], before: "", start: 1 };

/** A node and its descendants, parents before their children. Iterative, for any depth. */
function branchOf(root: ContentNode, below: Below): ContentNode[] {
  const branch: ContentNode[] = [];
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    branch.push(node);
    const children = node.kind === "block" ? below.get(node.id) ?? [] : [];
    // Too many to be the arguments of one call.
    for (const child of children.toReversed()) open.push(child);
  }
  return branch;
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
