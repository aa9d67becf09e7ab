/**
 * Copies of synced blocks, which show the children of their original.
 *
 * A copy inside another synced block shows nothing, so that no path from copy to original ever leads
 * back to where it began. Requests cannot create such copies; earlier versions could.
 *
 * @module
 */
import { isShownOriginal, isSynced, originalOf } from "../../content/blocks/mod.ts";
import type { NodeView } from "../../content/schema/node.ts";
import type { NodeReader } from "../../store/port.ts";
import { readNodes } from "../../shared/node_portions.ts";

type Reader = { readonly store: NodeReader };

/** Levels of blocks around a copy that are looked at; a copy that is deeper shows nothing. */
const LEVELS = 100;

/** Returns the originals that copies among these nodes show, by ID of the copy. */
export async function shownOriginals(
  services: Reader,
  workspace: string,
  nodes: readonly NodeView[],
): Promise<ReadonlyMap<string, NodeView>> {
  const copies = nodes.flatMap((node) => {
    const original = originalOf(node);
    return original === undefined ? [] : [{ node, original }];
  });
  if (copies.length === 0) return new Map();
  const [nested, originals] = await Promise.all([
    insideSynced(services, workspace, copies.map(({ node }) => node)),
    readNodes(services.store, workspace, [...new Set(copies.map(({ original }) => original))]),
  ]);
  const shown = new Map(originals.filter(isShownOriginal).map((node) => [node.id, node]));
  return new Map(copies.flatMap(({ node, original }) => {
    const found = nested.has(node.id) ? undefined : shown.get(original);
    return found === undefined ? [] : [[node.id, found] as const];
  }));
}

/** Returns the nodes with `hasChildren` of the original in place of that of its copies. */
export async function withCopies(
  services: Reader,
  workspace: string,
  nodes: readonly NodeView[],
): Promise<readonly NodeView[]> {
  if (!nodes.some(isSynced)) return nodes;
  const originals = await shownOriginals(services, workspace, nodes);
  return nodes.map((node) => {
    const original = originals.get(node.id);
    return original === undefined ? node : { ...node, hasChildren: original.hasChildren };
  });
}

/** Returns the IDs of those nodes that are inside a synced block. Takes one query for each level. */
export async function insideSynced(
  { store }: Reader,
  workspace: string,
  nodes: readonly Pick<NodeView, "id" | "parentKind" | "parentId">[],
): Promise<ReadonlySet<string>> {
  const inside = new Set<string>();
  let open = nodes.flatMap((node) => parentBlock(node).map((at) => ({ id: node.id, at })));
  for (let level = 0; open.length > 0; level++) {
    if (level === LEVELS) return new Set([...inside, ...open.map(({ id }) => id)]);
    const found = await readNodes(store, workspace, [...new Set(open.map(({ at }) => at))]);
    const parents = new Map(found.map((node) => [node.id, node]));
    open = open.flatMap(({ id, at }) => {
      const parent = parents.get(at);
      if (parent === undefined) return [];
      if (!isSynced(parent)) return parentBlock(parent).map((next) => ({ id, at: next }));
      inside.add(id);
      return [];
    });
  }
  return inside;
}

/** The ID of the block that a node is in; none for a node directly in a page. */
function parentBlock(
  { parentKind, parentId }: Pick<NodeView, "parentKind" | "parentId">,
): string[] {
  return parentKind === "block" && parentId !== null ? [parentId] : [];
}
