/**
 * A cache of nodes that lists show again and again.
 *
 * @module
 */
import { LRUCache } from "lru-cache";
import type { NodeView } from "../../content/schema/node.ts";
import type { NodeReader } from "../../store/port.ts";

export interface NodeCache {
  /**
   * Like `firstNodes()` of the store, in any order, but reads no nodes that are cached in their current
   * versions. Whether a page has children may be as it was.
   */
  firstNodes(workspace: string, ids: readonly string[]): Promise<readonly NodeView[]>;
  /** Forgets all: versions that were undone come again with other content. */
  clear(): void;
}

/** UTF-16 code units of all texts, and of one document. */
const MAX_SIZE = 2 ** 21;
const MAX_LENGTH = 8_192;
/** Code units that the rest of a node is counted for. */
const NODE_SIZE = 300;

/** Creates an empty cache. */
export function createNodeCache(store: Pick<NodeReader, "versions" | "firstNodes">): NodeCache {
  const nodes = new LRUCache<string, NodeView>({
    maxSize: MAX_SIZE,
    sizeCalculation: ({ title, doc }) => title.length + doc.length + NODE_SIZE,
  });
  return {
    async firstNodes(workspace, ids) {
      const keyOf = (id: string) => `${workspace}\n${id}`;
      const cached = ids.flatMap((id) => nodes.get(keyOf(id)) ?? []);
      const versions = cached.length === 0
        ? undefined
        : await store.versions(workspace, cached.map(({ id }) => id));
      const current = cached.filter(({ id, version }) => versions?.get(id) === version);
      const known = new Set(current.map(({ id }) => id));
      const others = await store.firstNodes(workspace, ids.filter((id) => !known.has(id)));
      for (const node of others) {
        if (node.doc.length <= MAX_LENGTH) nodes.set(keyOf(node.id), node);
      }
      return [...current, ...others];
    },
    clear: () => nodes.clear(),
  };
}
