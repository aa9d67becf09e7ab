/**
 * The vectors of pages, passage by passage, in memory, and a search for the nearest.
 *
 * @module
 */
import { createHighest } from "./highest.ts";
import { pack, unpack, type Vector } from "./vector.ts";
import { createVectorIndex, type VectorSearch } from "./vector_index.ts";

/** A page and its passage that is nearest to a question. */
export interface NearPage {
  readonly pageId: string;
  /** Number of the passage in its page, from 0 on. */
  readonly passage: number;
  /** The cosine between them. */
  readonly score: number;
}

export interface PageVectors {
  /** Packed vectors of the page's passages, in order, in place of those it had; none removes it. */
  put(pageId: string, passages: readonly Int8Array[]): void;
  /**
   * The nearest pages, nearest first, equally near ones by id; of `among` alone where it is given.
   * Where vectors are very many a few of the nearest may be missed, but never is their number smaller.
   */
  nearest(question: Vector, limit: number, among?: ReadonlySet<string>): NearPage[];
  /** The vector of a passage that was found, of length one. */
  vector(passage: Pick<NearPage, "pageId" | "passage">): Vector;
  /** Number of pages. */
  size(): number;
  /** Does a piece of the work that keeps searches fast, of some milliseconds; false where there is none. */
  arrange(): boolean;
}

interface Page {
  readonly id: string;
  /** Where the vectors of its passages are, in order. */
  readonly rows: number[];
}

export interface PageVectorsOptions {
  /** Vectors up to which a search reads all. */
  readonly undivided?: number;
  /** Vectors that are compared in a piece of the work that growth asks for. */
  readonly piece?: number;
}

/** Read within 9 ms, so that a search, which reads them twice, keeps half of its time for the rest. */
export const UNDIVIDED = 200_000;
/** Vectors that are read for each page to be found, where they are more: 99 of 100 are then found. */
const READ = 200;
/** Comparisons that take a few milliseconds. */
const PIECE = 65_536;

/** No pages yet, for vectors of so many dimensions. */
export function createPageVectors(
  dimensions: number,
  { undivided = UNDIVIDED, piece = PIECE }: PageVectorsOptions = {},
): PageVectors {
  const pages: Page[] = [];
  const places = new Map<string, number>();
  /** The place of the page that each row is of. */
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
    // The last page takes the free place.
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
    const found = among === undefined
      ? candidates(search, limit)
      : [...among].flatMap((id) => pages[places.get(id) ?? -1] ?? []);
    return found.map((page) => nearPage(page, search)).sort(byNearness).slice(0, limit);
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

/** The page and the first of its passages that are nearest. */
function nearPage({ id, rows }: Page, search: VectorSearch): NearPage {
  const cosines = rows.map(search.cosine);
  const score = Math.max(...cosines);
  return { pageId: id, passage: cosines.indexOf(score), score };
}

function byNearness(a: NearPage, b: NearPage): number {
  return b.score - a.score || (a.pageId < b.pageId ? -1 : 1);
}
