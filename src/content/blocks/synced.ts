/**
 * Synced blocks: originals, and copies that show the children of an original.
 *
 * @module
 */
import type { NodeView } from "../schema/node.ts";

const SYNCED = "synced_block";

/** The id of the block that a block is a copy of; undefined for every other block. */
export function originalOf({ type, doc }: Pick<NodeView, "type" | "doc">): string | undefined {
  if (type !== SYNCED) return undefined;
  // Sound because a synced block is stored as `syncedFrom` returns it.
  const { synced_from: from } = JSON.parse(doc) as SyncedValue;
  return from?.block_id;
}

interface SyncedValue {
  readonly synced_from?: { readonly block_id: string } | null;
}

/** Returns whether copies may show a block: an original that is not in the trash. */
export function isShownOriginal(
  node: Pick<NodeView, "type" | "doc" | "trashRoot"> | undefined,
): boolean {
  return node?.type === SYNCED && node.trashRoot === null && originalOf(node) === undefined;
}

/** Returns whether a block is an original or a copy. */
export function isSynced({ type }: Pick<NodeView, "type">): boolean {
  return type === SYNCED;
}
