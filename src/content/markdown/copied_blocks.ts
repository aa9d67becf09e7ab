/**
 * Puts the children of originals below the copies of synced blocks, so that a page is printed with
 * all that it shows.
 *
 * @module
 */
import type { ContentNode } from "../schema/node.ts";

/** The nodes that the copies of a page show. */
export interface CopiedNodes {
  /** Each with an ID and a parent of its own. */
  readonly nodes: ContentNode[];
  /** IDs of the copies whose children would be too many. */
  readonly omitted: string[];
}

/** The content of a page, and the originals in it. */
export interface CopySource {
  readonly nodes: readonly ContentNode[];
  /** IDs of originals by those of their copies. */
  readonly originals: Iterable<readonly [copy: string, original: string]>;
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
 * Adds what the copies show of one page, in steps. `own` has the nodes of the page that the copies are in,
 * by ID. A copy inside another synced block shows nothing.
 */
export function* addCopiedSteps(
  copied: CopiedNodes,
  own: ReadonlyMap<string, ContentNode>,
  { nodes, originals }: CopySource,
): Generator<void, void, void> {
  const below = Map.groupBy(nodes, ({ parentId }) => parentId);
  const branches = new Map<string, readonly ContentNode[] | undefined>();
  for (const [copy, original] of originals) {
    yield;
    if (yield* isInsideSynced(own.get(copy), own)) continue;
    if (!branches.has(original)) branches.set(original, yield* branchOf(original, below));
    const branch = branches.get(original);
    if (branch === undefined || copied.nodes.length + branch.length > MAX_COPIED) {
      copied.omitted.push(copy);
      continue;
    }
    const shownAs = (id: string | null) => id === original ? copy : `${copy}${SEPARATOR}${id}`;
    for (const node of branch) {
      copied.nodes.push({ ...node, id: shownAs(node.id), parentId: shownAs(node.parentId) });
      yield;
    }
  }
}

function* isInsideSynced(
  node: ContentNode | undefined,
  byId: ReadonlyMap<string, ContentNode>,
): Generator<void, boolean, void> {
  let above = byId.get(node?.parentId ?? "");
  while (above !== undefined && above.type !== "synced_block") {
    above = byId.get(above.parentId ?? "");
    yield;
  }
  return above !== undefined;
}

/** The descendants of an original; undefined if they are too many for any copy. */
function* branchOf(
  original: string,
  below: ReadonlyMap<string | null, readonly ContentNode[]>,
): Generator<void, ContentNode[] | undefined, void> {
  const branch: ContentNode[] = [];
  const open = [original];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    yield;
    for (const node of below.get(id) ?? []) {
      if (branch.length === MAX_COPIED) return undefined;
      branch.push(node);
      if (node.kind === "block") open.push(node.id);
    }
  }
  return branch;
}
