/**
 * Versions of nodes: tell whether what was made from the nodes is still current.
 *
 * @module
 */
import type { NodeView } from "../../content/schema/node.ts";
import { listsOf } from "../../shared/portions.ts";
import { createRest } from "../../shared/yield_to_event_loop.ts";
import type { NodeReader } from "../../store/port.ts";

/** Nodes that one statement compares. */
const PORTION = 1_000;

export type VersionedNode = Pick<NodeView, "id" | "version">;

/** Returns whether all of these nodes still have these versions. */
export async function areCurrent(
  store: Pick<NodeReader, "versions">,
  workspace: string,
  nodes: readonly VersionedNode[],
): Promise<boolean> {
  const rest = createRest();
  for (const some of listsOf(nodes, PORTION)) {
    const versions = await store.versions(workspace, some.map(({ id }) => id));
    if (!some.every(({ id, version }) => versions.get(id) === version)) return false;
    await rest();
  }
  return true;
}
