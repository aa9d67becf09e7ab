/**
 * Reading many nodes a few at once, and fewer if they are long.
 *
 * @module
 */
import { createRest, type Rest } from "./yield_to_event_loop.ts";

/** Part of the store. */
interface FirstNodes<Node> {
  /** Returns the first of the existing nodes among `ids`, in their order. */
  firstNodes(workspace: string, ids: readonly string[]): Promise<readonly Node[]>;
}

/** Nodes that are read at once if they are short: what is computed from them takes milliseconds. */
const PORTION = 50;

/** Yields the existing nodes among `ids`, all different, in their order. */
export async function* nodePortions<Node extends { readonly id: string }>(
  store: FirstNodes<Node>,
  workspace: string,
  ids: readonly string[],
): AsyncGenerator<readonly Node[]> {
  for (let at = 0; at < ids.length;) {
    const asked = ids.slice(at, at + PORTION);
    const nodes = await store.firstNodes(workspace, asked);
    if (nodes.length > 0) yield nodes;
    const last = nodes.at(-1);
    at += last === undefined ? asked.length : asked.indexOf(last.id) + 1;
  }
}

/** Returns the existing nodes among `ids`, all different, in their order; rests between portions. */
export async function readNodes<Node extends { readonly id: string }>(
  store: FirstNodes<Node>,
  workspace: string,
  ids: readonly string[],
  rest: Rest = createRest(),
): Promise<Node[]> {
  const nodes: Node[] = [];
  for await (const portion of nodePortions(store, workspace, ids)) {
    nodes.push(...portion);
    await rest();
  }
  return nodes;
}
