/**
 * Puts the children of originals below the copies of synced blocks, so that a page is printed with
 * all that it shows.
 *
 * @module
 */
import type { ContentNode } from "../schema/node.ts";

/** An original, and the content of the page that it is in. */
export interface CopiedBlock {
  readonly id: string;
  readonly nodes: readonly ContentNode[];
}

export interface WithCopied {
  readonly nodes: readonly ContentNode[];
  /** IDs of the copies whose children would be too many. */
  readonly omitted: readonly string[];
}

/** Nodes that the copies of one page show at most, so that a small page stays one to print. */
const MAX_COPIED = 20_000;

/** Separates the ID of a copy from that of a node below it. */
const SEPARATOR = ":";

/** The ID under which a node is stored; a node that a copy shows has another one here. */
export function storedId(id: string): string {
  return id.slice(id.lastIndexOf(SEPARATOR) + 1);
}

/**
 * Returns the content of a page with what its copies show below them. A copy inside another synced
 * block shows nothing.
 */
export function withCopiedBlocks(
  nodes: readonly ContentNode[],
  originals: ReadonlyMap<string, CopiedBlock>,
): WithCopied {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const belows = new Map<readonly ContentNode[], Below>();
  const copied: ContentNode[] = [];
  const omitted: string[] = [];
  for (const [copy, original] of originals) {
    if (isInsideSynced(byId.get(copy), byId)) continue;
    const below = belows.getOrInsertComputed(original.nodes, childrenByParent);
    const shown = branchOf(copy, original.id, { below, limit: MAX_COPIED - copied.length });
    if (shown === undefined) omitted.push(copy);
    else copied.push(...shown);
  }
  return { nodes: [...nodes, ...copied], omitted };
}

type Below = ReadonlyMap<string | null, readonly ContentNode[]>;

function childrenByParent(nodes: readonly ContentNode[]): Below {
  return Map.groupBy(nodes, ({ parentId }) => parentId);
}

function isInsideSynced(
  node: ContentNode | undefined,
  byId: ReadonlyMap<string, ContentNode>,
): boolean {
  let above = byId.get(node?.parentId ?? "");
  while (above !== undefined && above.type !== "synced_block") {
    above = byId.get(above.parentId ?? "");
  }
  return above !== undefined;
}

interface BranchOptions {
  readonly below: Below;
  readonly limit: number;
}

/** The descendants of an original below a copy; undefined if they are too many. */
function branchOf(
  copy: string,
  original: string,
  { below, limit }: BranchOptions,
): ContentNode[] | undefined {
  const branch: ContentNode[] = [];
  const open = [{ id: original, shownAs: copy }];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const node of below.get(at.id) ?? []) {
      if (branch.length === limit) return undefined;
      const id = `${copy}${SEPARATOR}${node.id}`;
      branch.push({ ...node, id, parentId: at.shownAs });
      if (node.kind === "block") open.push({ id: node.id, shownAs: id });
    }
  }
  return branch;
}
