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
  /** Bytes of their documents, about, once names and URLs are filled in. */
  readonly length: number;
  /** Descendants that are left out, because they would be too much to print together. */
  readonly omitted: readonly ContentNode[];
  /** The separator between the previous text and this one; empty if a list continues. */
  readonly before: "" | "\n";
  /** The number of the first item, if that is a numbered list item. */
  readonly start: number;
}

/** A portion has this many nodes, and some more; others wait while it is printed. */
export const PORTION_NODES = 500;
/** Bytes of the documents of a portion, if it has fewer nodes. */
const PORTION_LENGTH = 250_000;
/** About how often as long the documents are whose mentions have names and URLs. */
const MENTIONS_LENGTH = 4;
/**
 * Bytes of documents of a top-level node and its descendants, which can only be printed together:
 * that takes six times as much memory.
 */
const MAX_BRANCH = 16_000_000;

type Below = ReadonlyMap<string | null, readonly ContentNode[]>;

/** Divides the nodes of a page into portions, in order. */
export function* portionsOf(pageId: string, nodes: readonly ContentNode[]): Generator<Portion> {
  let branches: Portion[] = [];
  let filled = 0;
  for (const branch of branchesOf(pageId, nodes)) {
    branches.push(branch);
    filled += branch.nodes.length / PORTION_NODES + branch.length / PORTION_LENGTH;
    if (filled < 1) continue;
    yield* joined(branches);
    branches = [];
    filled = 0;
  }
  yield* joined(branches);
}

/** The top-level nodes of a page in order, each with its descendants as a portion of its own. */
function* branchesOf(pageId: string, nodes: readonly ContentNode[]): Generator<Portion> {
  const below = Map.groupBy(nodes, ({ parentId }) => parentId);
  for (const siblings of below.values()) siblings.sort(byPosition);
  let previous: ContentNode | undefined;
  let inList = 0;
  for (const node of below.get(pageId) ?? []) {
    const goesOn = isSameList(previous, node);
    inList = goesOn ? inList + 1 : 1;
    const before = previous === undefined || goesOn ? "" : "\n";
    yield { ...branchOf(node, below), before, start: inList };
    previous = node;
  }
}

/** Joins consecutive portions to one; none if there are none. */
function* joined(portions: readonly Portion[]): Generator<Portion> {
  const [first] = portions;
  if (first === undefined) return;
  yield {
    nodes: portions.flatMap(({ nodes }) => nodes),
    length: portions.reduce((sum, { length }) => sum + length, 0),
    omitted: portions.flatMap(({ omitted }) => omitted),
    before: first.before,
    start: first.start,
  };
}

/** A node and its descendants, parents before their children. Iterative, for any depth. */
function branchOf(
  root: ContentNode,
  below: Below,
): Pick<Portion, "nodes" | "length" | "omitted"> {
  const nodes: ContentNode[] = [];
  const omitted: ContentNode[] = [];
  let length = 0;
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    length += lengthOf(node);
    // All that follow are left out, too, so that no node is there without its parent.
    const isOmitted = length > MAX_BRANCH && nodes.length > 0;
    (isOmitted ? omitted : nodes).push(node);
    const children = node.kind === "block" ? below.get(node.id) ?? [] : [];
    // Too many to be the arguments of one call.
    for (const child of children.toReversed()) open.push(child);
  }
  return { nodes, length, omitted };
}

function lengthOf({ kind, length, hasMentions }: ContentNode): number {
  if (hasMentions) return length * MENTIONS_LENGTH;
  // Pages and databases are shown by their titles.
  return kind === "block" ? length : 0;
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
