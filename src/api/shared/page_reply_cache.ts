/**
 * A cache of replies with pages, rows and Markdown. To serve one again, only the versions of the page and
 * of its database are read.
 *
 * @module
 */
import { LRUCache } from "lru-cache";
import { type CacheCounts, countAnswer } from "../../shared/cache_counts.ts";
import type { NodeView } from "../../content/schema/node.ts";
import type { Reply } from "../../http/endpoint.ts";
import type { Text } from "../../shared/long_text.ts";
import type { NodeReader } from "../../store/port.ts";
import { areCurrent, type VersionedNode } from "./versions.ts";

/** A reply with its entity tag. */
export type TaggedReply = Reply & { readonly body: Text; readonly etag: string };

export interface PageReplyOptions {
  /** Form of the reply, if a page has replies of several. */
  readonly form?: string;
  /** The database of a row. */
  readonly database?: VersionedNode;
}

export interface PageReplyCache {
  /** Returns the cached reply of a page, in this form, if it is still current. */
  find(workspace: string, id: string, form?: string): Promise<TaggedReply | undefined>;
  /**
   * Caches the reply of a page, and of a row with its database, if it depends only on these and is not
   * large.
   */
  store(
    workspace: string,
    node: VersionedNode & Pick<NodeView, "hasMentions">,
    reply: TaggedReply,
    options?: PageReplyOptions,
  ): TaggedReply;
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
    find: async (workspace, id, form) => {
      const cached = pages.get(keyOf(workspace, id, form));
      if (cached === undefined) return countAnswer(counts, undefined);
      const isCurrent = await areCurrent(store, workspace, cached.sources);
      return countAnswer(counts, isCurrent ? cached.reply : undefined);
    },
    store: (workspace, node, reply, { form, database } = {}) => {
      // Mentioned objects can be renamed without a new version of the page.
      if (node.hasMentions || reply.body.length > MAX_LENGTH) return reply;
      const constant = { ...reply, constant: true };
      const sources = database === undefined ? [node] : [node, database];
      const key = keyOf(workspace, node.id, form);
      pages.set(key, { sources: sources.map(versionOf), reply: constant });
      return constant;
    },
    clear: () => pages.clear(),
  };
}

function versionOf({ id, version }: VersionedNode): VersionedNode {
  return { id, version };
}

function keyOf(workspace: string, id: string, form = ""): string {
  return `${workspace}\n${id}${form}`;
}
