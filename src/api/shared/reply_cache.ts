/**
 * A cache of replies that are made anew only if what they show has changed.
 *
 * @module
 */
import { LRUCache } from "lru-cache";
import type { Reply } from "../../http/endpoint.ts";
import { type CacheCounts, countAnswer } from "../../shared/cache_counts.ts";

/** A reply whose body is text. */
export type TextReply = Reply & { readonly body: string };

export interface ReplyCache {
  /** Returns whether a reply was cached under this key, in whatever state. */
  has(key: string): boolean;
  /** Returns the reply that was cached under this key in this state. */
  find(key: string, state: string): TextReply | undefined;
  /**
   * Caches a reply, unless it is long. Equal states must mean equal replies: the state can be the entity
   * tag, or what the reply is made from.
   */
  store(key: string, state: string, reply: TextReply): TextReply;
  /** Forgets all: states that were undone come again with other content. */
  clear(): void;
  readonly counts: CacheCounts;
}

const MAX_REPLIES = 2_000;
const MAX_LENGTH = 8_192;

interface CachedReply {
  readonly state: string;
  readonly reply: TextReply;
}

/** Creates an empty cache, limited in number and length. */
export function createReplyCache(): ReplyCache {
  const replies = new LRUCache<string, CachedReply>({ max: MAX_REPLIES });
  const counts = { hits: 0, misses: 0 };
  return {
    counts,
    has: (key) => replies.has(key),
    find: (key, state) => {
      const cached = replies.get(key);
      return countAnswer(counts, cached?.state === state ? cached.reply : undefined);
    },
    store: (key, state, reply) => {
      if (reply.body.length > MAX_LENGTH) return reply;
      const constant = { ...reply, constant: true };
      replies.set(key, { state, reply: constant });
      return constant;
    },
    clear: () => replies.clear(),
  };
}
