/**
 * Shared helpers of the store's contract.
 *
 * @module
 */
import type { Change, NodeView } from "../../src/content/schema/node.ts";
import type { Receipt, Store } from "../../src/store/port.ts";
import { assert, assertEquals } from "../assert.ts";

/** Opens an empty store. */
export type OpenStore = () => Promise<Store>;

/** Registers a test that gets an empty store of its own. */
export type StoreTest = (sentence: string, body: (store: Store) => Promise<void>) => void;

/** The workspace of tests that need only one. */
export const W = "workspace";

type Commit = [changes: readonly Change[], receipt?: Receipt];

/** Commits, and asserts success. */
export async function done(store: Store, ...commit: Commit): Promise<void> {
  assertEquals(await store.commit(W, ...commit), "committed");
}

/** Commits, and asserts that the store refuses. */
export async function refused(store: Store, ...commit: Commit): Promise<void> {
  assertEquals(await store.commit(W, ...commit), "conflict");
}

/** Reads a node that must exist. */
export async function node(store: Store, id: string): Promise<NodeView> {
  const found = await store.node(W, id);
  assert(found, `No node ${id}`);
  return found;
}
