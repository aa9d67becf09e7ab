/**
 * Pages from an index in the database, ranked again by their exact vectors.
 *
 * @module
 */
import type { NearPage } from "../search/vectors/page_vectors.ts";
import { pack, type Vector } from "../search/vectors/vector.ts";
import type { NearQuery, SavedVectors } from "../store/port.ts";
import { noPages, put } from "./loaded_pages.ts";

/** The pages of one search, which may ask several questions. */
export interface IndexedPages {
  /** Returns the nearest pages in the query's scope that are not in the trash, nearest first. */
  nearest(question: Vector, query: Omit<NearQuery, "vector">): Promise<NearPage[]>;
  /** Returns the unit vector of a passage; undefined if no question has returned its page. */
  vector(passage: Pick<NearPage, "pageId" | "passage">): Vector | undefined;
  /** Returns the block that a passage begins with; null if it is the page itself. */
  blockOf(pageId: string, passage: number): string | null;
}

/** Starts a search. Pages for which `isNewer` returns true are left out, because their index entry is stale. */
export function createIndexedPages(
  near: (query: NearQuery) => Promise<readonly SavedVectors[]>,
  isNewer: (pageId: string) => boolean,
): IndexedPages {
  const loaded = noPages();
  return {
    async nearest(question, query) {
      for (const saved of await near({ ...query, vector: pack(question) })) {
        if (!isNewer(saved.id)) put(loaded, saved);
      }
      return loaded.pages?.nearest(question, query.limit) ?? [];
    },
    vector: (passage) =>
      loaded.blocks.has(passage.pageId) ? loaded.pages?.vector(passage) : undefined,
    blockOf: (pageId, passage) => loaded.blocks.get(pageId)?.[passage] ?? null,
  };
}
