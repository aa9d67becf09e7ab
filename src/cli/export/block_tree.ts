/**
 * Reads all blocks of a page.
 *
 * @module
 */
import type { ApiClient } from "../transfer/api_client.ts";
import { type JsonObject, objectAt, textAt } from "../transfer/json.ts";

/** A block with what is nested in it. */
export interface BlockTree {
  readonly block: JsonObject;
  readonly children: readonly BlockTree[];
}

/** Resolves to the blocks of a page or block, in order, without the content of pages in it. */
export async function readBlockTrees(api: ApiClient, id: string): Promise<BlockTree[]> {
  const trees: BlockTree[] = [];
  for await (const block of api.list(`/v2/blocks/${id}/children`)) {
    trees.push({ block, children: hasOwnBlocks(block) ? await nested(api, block) : [] });
  }
  return trees;
}

function nested(api: ApiClient, block: JsonObject): Promise<BlockTree[]> {
  return readBlockTrees(api, textAt(block, "id"));
}

/** Pages are exported on their own, and a copy of a synced block shows blocks of another. */
function hasOwnBlocks(block: JsonObject): boolean {
  const { type, has_children } = block;
  if (has_children !== true || type === "child_page" || type === "child_database") return false;
  return type !== "synced_block" || objectAt(block, "synced_block").synced_from === null;
}

/** Returns the blocks of trees: each before what is nested in it. */
export function flatten(trees: readonly BlockTree[]): JsonObject[] {
  const blocks: JsonObject[] = [];
  const waiting = [...trees].reverse();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    blocks.push(next.block);
    waiting.push(...next.children.toReversed());
  }
  return blocks;
}

/** Returns the trees of blocks that `flatten()` returned, under the object with this ID. */
export function unflatten(blocks: readonly JsonObject[], rootId: string): BlockTree[] {
  const children = new Map<string, BlockTree[]>([[rootId, []]]);
  for (const block of blocks) {
    const own: BlockTree[] = [];
    const parent = objectAt(block, "parent");
    children.get(textAt(parent, textAt(parent, "type")))?.push({ block, children: own });
    children.set(textAt(block, "id"), own);
  }
  return children.get(rootId) ?? [];
}
