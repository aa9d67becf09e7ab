/**
 * Pages that were read before, kept as the answers they were: reading one again asks the store for
 * its version alone.
 *
 * @module
 */
import { LRUCache } from "lru-cache";
import type { NodeView } from "../../content/schema/node.ts";
import type { Reply } from "../../http/endpoint.ts";
import type { NodeReader } from "../../store/port.ts";

/** An answer that is ready, with its entity tag. */
export type TaggedReply = Reply & { readonly body: string; readonly etag: string };

export interface PageReplyCache {
  /** The answer of a page, if it was kept and is still true. */
  find(store: NodeReader, workspace: string, id: string): Promise<TaggedReply | undefined>;
  /** Keeps the answer of a page, where its node alone decides it and it is not large. */
  store(workspace: string, node: NodeView, reply: TaggedReply): TaggedReply;
}

const MAX_PAGES = 2_000;
const MAX_LENGTH = 8_192;

interface Rendered {
  readonly version: number;
  readonly reply: TaggedReply;
}

/** Creates an empty collection, bounded in number and length. */
export function createPageReplyCache(): PageReplyCache {
  const pages = new LRUCache<string, Rendered>({ max: MAX_PAGES });
  return {
    find: async (store, workspace, id) => {
      const kept = pages.get(keyOf(workspace, id));
      if (kept === undefined) return undefined;
      const version = await store.version(workspace, id);
      return version === kept.version ? kept.reply : undefined;
    },
    store: (workspace, node, reply) => {
      // What a page mentions can be renamed while its own version stays.
      if (node.hasMentions || reply.body.length > MAX_LENGTH) return reply;
      const constant = { ...reply, constant: true };
      pages.set(keyOf(workspace, node.id), { version: node.version, reply: constant });
      return constant;
    },
  };
}

function keyOf(workspace: string, id: string): string {
  return `${workspace}\n${id}`;
}
