/**
 * The vectors of pages in memory, one per passage, and a search for the nearest pages.
 *
 * @module
 */
import { createHighest } from "./highest.ts";
import { pack, unpack, type Vector } from "./vector.ts";
import { createVectorIndex, type VectorSearch } from "./vector_index.ts";

/** A page and its passage nearest to a question. */
export interface NearPage {
  readonly pageId: string;
  /** Number of the passage in its page, from 0. */
  readonly passage: number;
  /** The cosine between passage and question. */
  readonly score: number;
}

export interface PageVectors {
  /** Replaces the packed vectors of a page's passages, in order; an empty list removes the page. */
  put(pageId: string, passages: readonly Int8Array[]): void;
  /**
   * Returns the nearest pages, nearest first, equal ones by ID; only pages of `among` if it is set. With
   * very many vectors, the result may miss a few of the nearest pages, but it is never shorter.
   */
  nearest(question: Vector, limit: number, among?: ReadonlySet<string>): NearPage[];
  /** Returns the unit vector of a passage. */
  vector(passage: Pick<NearPage, "pageId" | "passage">): Vector;
  /** Returns the number of pages. */
  size(): number;
  /** Does a few milliseconds of maintenance that keeps searches fast; returns false if none is due. */
  arrange(): boolean;
}

interface Page {
  readonly id: string;
  /** The rows of its passages' vectors, in order. */
  readonly rows: number[];
}

export interface PageVectorsOptions {
  /** Up to this many vectors, a search reads all. */
  readonly undivided?: number;
  /** Comparisons of one piece of maintenance. */
  readonly piece?: number;
}

/** Takes 9 ms to read. A search reads the vectors twice, and should spend half of its time otherwise. */
export const UNDIVIDED = 200_000;
/** Vectors to read per requested page if there are more; the search then finds 99 of 100 pages. */
const READ = 200;
/** Comparisons that take a few milliseconds. */
const PIECE = 65_536;

/** Creates an empty list of pages for vectors with these dimensions. */
export function createPageVectors(
  dimensions: number,
  { undivided = UNDIVIDED, piece = PIECE }: PageVectorsOptions = {},
): PageVectors {
  const pages: Page[] = [];
  const places = new Map<string, number>();
  /** The index of the page that owns each row. */
  const owners: number[] = [];
  const index = createVectorIndex({ dimensions, undivided, piece, onMove });

  function onMove(from: number, to: number): void {
    const owner = owners[from] ?? 0;
    const { rows = [] } = pages[owner] ?? {};
    rows[rows.indexOf(from)] = to;
    owners[to] = owner;
  }

  function setPlace(place: number, page: Page): void {
    pages[place] = page;
    places.set(page.id, place);
    for (const row of page.rows) owners[row] = place;
  }

  function remove(id: string): void {
    const place = places.get(id);
    if (place === undefined) return;
    const { rows = [] } = pages[place] ?? {};
    for (let row = rows.pop(); row !== undefined; row = rows.pop()) index.remove(row);
    const last = pages.pop();
    places.delete(id);
    // The last page moves to the free index.
    if (last !== undefined && last.id !== id) setPlace(place, last);
  }

  function put(id: string, passages: readonly Int8Array[]): void {
    remove(id);
    if (passages.length === 0) return;
    setPlace(pages.length, { id, rows: passages.map(index.add) });
  }

  function candidates(search: VectorSearch, limit: number): Page[] {
    const best = createHighest(
      limit,
      (a, b) => (pages[a]?.id ?? "") < (pages[b]?.id ?? "") ? -1 : 1,
    );
    let { least } = best;
    search.visit((first, cosines, count) => {
      for (let i = 0; i < count; i++) {
        const cosine = cosines[i] ?? 0;
        if (cosine < least) continue;
        best.add(owners[first + i] ?? 0, cosine);
        least = best.least;
      }
    }, (shown) => shown >= READ * limit && best.items().length === limit);
    return best.items().flatMap((place) => pages[place] ?? []);
  }

  function nearest(question: Vector, limit: number, among?: ReadonlySet<string>): NearPage[] {
    const search = index.search(pack(question));
    const selected = among === undefined
      ? candidates(search, limit)
      : [...among].flatMap((id) => pages[places.get(id) ?? -1] ?? []);
    return selected.map(({ id, rows }) => {
      const passage = nearestPassage(rows, search);
      // The scan rounds the question to bytes; pages of nearly the same score need better.
      const score = index.cosine(rows[passage] ?? 0, question);
      return { pageId: id, passage, score };
    }).sort(byNearness).slice(0, limit);
  }

  return {
    put,
    nearest,
    vector: ({ pageId, passage }) =>
      unpack(index.get(pages[places.get(pageId) ?? 0]?.rows[passage] ?? 0)),
    size: () => pages.length,
    arrange: index.arrange,
  };
}

/** Returns the number of the passage that is nearest, as far as packed vectors tell. */
function nearestPassage(rows: readonly number[], search: VectorSearch): number {
  if (rows.length === 1) return 0;
  const cosines = rows.map(search.cosine);
  return cosines.indexOf(Math.max(...cosines));
}

function byNearness(a: NearPage, b: NearPage): number {
  return b.score - a.score || (a.pageId < b.pageId ? -1 : 1);
}
