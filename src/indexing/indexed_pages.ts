/**
 * Pages that an index in the database finds, ranked by their vectors as they are.
 *
 * @module
 */
import type { NearPage } from "../search/vectors/page_vectors.ts";
import { pack, type Vector } from "../search/vectors/vector.ts";
import type { NearQuery, SavedVectors } from "../store/port.ts";
import { noPages, put } from "./loaded_pages.ts";

/** What was found for one search, which may ask several times. */
export interface IndexedPages {
  /** The nearest pages that live and lie in the scope, nearest first. */
  nearest(question: Vector, query: Omit<NearQuery, "vector">): Promise<NearPage[]>;
  /** The vector of a passage that was found, of length one; undefined of a page that was not. */
  vector(passage: Pick<NearPage, "pageId" | "passage">): Vector | undefined;
  /** The block that a passage begins with; null where it is the page itself. */
  blockOf(pageId: string, passage: number): string | null;
}

/** Nothing found yet; pages that are newer than the index are left to others. */
export function createIndexedPages(
  near: (query: NearQuery) => Promise<readonly SavedVectors[]>,
  isNewer: (pageId: string) => boolean,
): IndexedPages {
  const found = noPages();
  return {
    async nearest(question, query) {
      for (const saved of await near({ ...query, vector: pack(question) })) {
        if (!isNewer(saved.id)) put(found, saved);
      }
      return found.pages?.nearest(question, query.limit) ?? [];
    },
    vector: (passage) =>
      found.blocks.has(passage.pageId) ? found.pages?.vector(passage) : undefined,
    blockOf: (pageId, passage) => found.blocks.get(pageId)?.[passage] ?? null,
  };
}
