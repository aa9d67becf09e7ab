/**
 * Reading many nodes a few at once, and fewer if they are long.
 *
 * @module
 */
import type { NodeView } from "../content/schema/node.ts";
import { createRest, type Rest } from "../shared/yield_to_event_loop.ts";
import type { NodeReader } from "./port.ts";

type FirstNodes = Pick<NodeReader, "firstNodes">;

/** Nodes that are read at once if they are short: what is computed from them takes milliseconds. */
const PORTION = 50;

/** Yields the existing nodes among `ids`, all different, in their order. */
export async function* nodePortions(
  store: FirstNodes,
  workspace: string,
  ids: readonly string[],
): AsyncGenerator<readonly NodeView[]> {
  for (let at = 0; at < ids.length;) {
    const asked = ids.slice(at, at + PORTION);
    const nodes = await store.firstNodes(workspace, asked);
    if (nodes.length > 0) yield nodes;
    const last = nodes.at(-1);
    at += last === undefined ? asked.length : asked.indexOf(last.id) + 1;
  }
}

/** Returns the existing nodes among `ids`, all different, in their order; rests between portions. */
export async function readNodes(
  store: FirstNodes,
  workspace: string,
  ids: readonly string[],
  rest: Rest = createRest(),
): Promise<NodeView[]> {
  const nodes: NodeView[] = [];
  for await (const portion of nodePortions(store, workspace, ids)) {
    nodes.push(...portion);
    await rest();
  }
  return nodes;
}
