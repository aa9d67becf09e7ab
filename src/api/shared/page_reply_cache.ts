/**
 * A cache of replies with pages and rows. To serve one again, only the versions of the page and of its
 * database are read.
 *
 * @module
 */
import { LRUCache } from "lru-cache";
import { type CacheCounts, countAnswer } from "../../shared/cache_counts.ts";
import type { NodeView } from "../../content/schema/node.ts";
import type { Reply } from "../../http/endpoint.ts";
import type { NodeReader } from "../../store/port.ts";
import { areCurrent, type VersionedNode } from "./versions.ts";

/** A reply with its entity tag. */
export type TaggedReply = Reply & { readonly body: string; readonly etag: string };

export interface PageReplyCache {
  /** Returns the cached reply of a page if it is still current. */
  find(workspace: string, id: string): Promise<TaggedReply | undefined>;
  /**
   * Caches the reply of a page, and of a row with its database, if it depends only on these and is not
   * large.
   */
  store(workspace: string, node: NodeView, reply: TaggedReply, database?: NodeView): TaggedReply;
  /** Forgets all: versions that were undone come again with other content. */
  clear(): void;
  readonly counts: CacheCounts;
}

const MAX_PAGES = 2_000;
const MAX_LENGTH = 8_192;

interface Rendered {
  readonly sources: readonly VersionedNode[];
  readonly reply: TaggedReply;
}

/** Creates an empty cache, limited in number and length. */
export function createPageReplyCache(store: Pick<NodeReader, "versions">): PageReplyCache {
  const pages = new LRUCache<string, Rendered>({ max: MAX_PAGES });
  const counts = { hits: 0, misses: 0 };
  return {
    counts,
    find: async (workspace, id) => {
      const cached = pages.get(keyOf(workspace, id));
      if (cached === undefined) return countAnswer(counts, undefined);
      const isCurrent = await areCurrent(store, workspace, cached.sources);
      return countAnswer(counts, isCurrent ? cached.reply : undefined);
    },
    store: (workspace, node, reply, database) => {
      // Mentioned objects can be renamed without a new version of the page.
      if (node.hasMentions || reply.body.length > MAX_LENGTH) return reply;
      const constant = { ...reply, constant: true };
      const sources = database === undefined ? [node] : [node, database];
      pages.set(keyOf(workspace, node.id), { sources: sources.map(versionOf), reply: constant });
      return constant;
    },
    clear: () => pages.clear(),
  };
}

function versionOf({ id, version }: NodeView): VersionedNode {
  return { id, version };
}

function keyOf(workspace: string, id: string): string {
  return `${workspace}\n${id}`;
}
