/**
 * A cache of replies with pages. To serve one again, only the version of the page is read.
 *
 * @module
 */
import { LRUCache } from "lru-cache";
import { type CacheCounts, countAnswer } from "../../shared/cache_counts.ts";
import type { NodeView } from "../../content/schema/node.ts";
import type { Reply } from "../../http/endpoint.ts";
import type { NodeReader } from "../../store/port.ts";

/** A reply with its entity tag. */
export type TaggedReply = Reply & { readonly body: string; readonly etag: string };

export interface PageReplyCache {
  /** Returns the cached reply of a page if it is still current. */
  find(store: NodeReader, workspace: string, id: string): Promise<TaggedReply | undefined>;
  /** Caches the reply of a page if it depends only on its node and is not large. */
  store(workspace: string, node: NodeView, reply: TaggedReply): TaggedReply;
  /** Forgets all: versions that were undone come again with other content. */
  clear(): void;
  readonly counts: CacheCounts;
}

const MAX_PAGES = 2_000;
const MAX_LENGTH = 8_192;

interface Rendered {
  readonly version: number;
  readonly reply: TaggedReply;
}

/** Creates an empty cache, limited in number and length. */
export function createPageReplyCache(): PageReplyCache {
  const pages = new LRUCache<string, Rendered>({ max: MAX_PAGES });
  const counts = { hits: 0, misses: 0 };
  return {
    counts,
    find: async (store, workspace, id) => {
      const cached = pages.get(keyOf(workspace, id));
      if (cached === undefined) return countAnswer(counts, undefined);
      const version = await store.version(workspace, id);
      return countAnswer(counts, version === cached.version ? cached.reply : undefined);
    },
    store: (workspace, node, reply) => {
      // Mentioned objects can be renamed without a new version of the page.
      if (node.hasMentions || reply.body.length > MAX_LENGTH) return reply;
      const constant = { ...reply, constant: true };
      pages.set(keyOf(workspace, node.id), { version: node.version, reply: constant });
      return constant;
    },
    clear: () => pages.clear(),
  };
}

function keyOf(workspace: string, id: string): string {
  return `${workspace}\n${id}`;
}
