/**
 * Versions of nodes: tell whether what was made from the nodes is still current.
 *
 * @module
 */
import type { NodeView } from "../../content/schema/node.ts";
import type { NodeReader } from "../../store/port.ts";

export type VersionedNode = Pick<NodeView, "id" | "version">;

/** Returns whether all of these nodes still have these versions. */
export async function areCurrent(
  store: Pick<NodeReader, "versions">,
  workspace: string,
  nodes: readonly VersionedNode[],
): Promise<boolean> {
  const versions = await store.versions(workspace, nodes.map(({ id }) => id));
  return nodes.every(({ id, version }) => versions.get(id) === version);
}
