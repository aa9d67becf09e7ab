/**
 * Versions of nodes: tell whether what was made from the nodes is still current.
 *
 * @module
 */
import { setImmediate } from "node:timers";
import type { NodeView } from "../../content/schema/node.ts";
import type { NodeReader } from "../../store/port.ts";

export type VersionedNode = Pick<NodeView, "id" | "version">;

/** Returns the versions of the existing nodes among `ids`, and perhaps those of others. */
type ReadVersions = NodeReader["versions"];

/** Returns whether all of these nodes still have these versions. */
export async function areCurrent(
  { versions }: { readonly versions: ReadVersions },
  workspace: string,
  nodes: readonly VersionedNode[],
): Promise<boolean> {
  const current = await versions(workspace, nodes.map(({ id }) => id));
  return nodes.every(({ id, version }) => current.get(id) === version);
}

/** Versions of one workspace that are about to be read. */
interface Batch {
  readonly ids: Set<string>;
  readonly found: PromiseWithResolvers<ReadonlyMap<string, number>>;
}

/**
 * Reads what is asked for in one turn of the event loop by one statement for each workspace, but for what
 * is asked first: whoever asks alone does not wait. Most of the time of a statement that reads a version
 * goes to the locks of SQLite or to the way to PostgreSQL.
 */
export function readTogether(read: ReadVersions): ReadVersions {
  let batches = new Map<string, Batch>();
  let isFirst = true;
  const endTurn = (): void => {
    const asked = batches;
    batches = new Map();
    isFirst = true;
    for (const [workspace, { ids, found }] of asked) found.resolve(read(workspace, [...ids]));
  };
  return (workspace, ids) => {
    if (isFirst) {
      isFirst = false;
      setImmediate(endTurn);
      return read(workspace, ids);
    }
    const batch = batches.getOrInsertComputed(workspace, () => ({
      ids: new Set<string>(),
      found: Promise.withResolvers<ReadonlyMap<string, number>>(),
    }));
    for (const id of ids) batch.ids.add(id);
    return batch.found.promise;
  };
}
