/**
 * What the parts of the store's contract share.
 *
 * @module
 */
import type { Change, NodeView } from "../../src/content/schema/node.ts";
import type { Receipt, Store } from "../../src/store/port.ts";
import { assert, assertEquals } from "../assert.ts";

/** Opens a store with nothing in it. */
export type OpenStore = () => Promise<Store>;

/** Registers a test that gets an empty store of its own. */
export type StoreTest = (sentence: string, body: (store: Store) => Promise<void>) => void;

/** The workspace of every test that needs only one. */
export const W = "workspace";

type Commit = [changes: readonly Change[], receipt?: Receipt];

/** Commits, and asserts that it happened. */
export async function done(store: Store, ...commit: Commit): Promise<void> {
  assertEquals(await store.commit(W, ...commit), "committed");
}

/** Commits, and asserts that it was refused. */
export async function refused(store: Store, ...commit: Commit): Promise<void> {
  assertEquals(await store.commit(W, ...commit), "conflict");
}

/** A node that must be there. */
export async function node(store: Store, id: string): Promise<NodeView> {
  const found = await store.node(W, id);
  assert(found, `No node ${id}`);
  return found;
}
