/**
 * The vectors of pages, passage by passage, in memory, and an exact search for the nearest.
 *
 * @module
 */
import { highest } from "./highest.ts";
import { createPackedVectors } from "./packed_vectors.ts";
import { pack, unpack, type Vector } from "./vector.ts";

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
   */
  nearest(question: Vector, limit: number, among?: ReadonlySet<string>): NearPage[];
  /** The vector of a passage that was found, of length one. */
  vector(passage: Pick<NearPage, "pageId" | "passage">): Vector;
  /** Number of pages. */
  size(): number;
}

interface Page {
  readonly id: string;
  /** Where the vectors of its passages are, in order. */
  readonly rows: readonly number[];
}

/** Of a row that is free. */
const NOBODY = -1;

/** No pages yet, for vectors of so many dimensions. */
export function createPageVectors(dimensions: number): PageVectors {
  const packed = createPackedVectors(dimensions);
  const pages: Page[] = [];
  const places = new Map<string, number>();
  /** The place of the page that each row is of. */
  const owners: number[] = [];
  const freeRows: number[] = [];

  function store(vector: Int8Array): number {
    const row = freeRows.pop() ?? owners.length;
    packed.set(row, vector);
    owners[row] = NOBODY;
    return row;
  }

  function setPlace(place: number, page: Page): void {
    pages[place] = page;
    places.set(page.id, place);
    for (const row of page.rows) owners[row] = place;
  }

  function remove(id: string): void {
    const place = places.get(id);
    const last = pages.at(-1);
    if (place === undefined || last === undefined) return;
    const { rows = [] } = pages[place] ?? {};
    // The last page takes the free place, so that a search meets no gaps.
    setPlace(place, last);
    pages.pop();
    places.delete(id);
    for (const row of rows) owners[row] = NOBODY;
    freeRows.push(...rows);
  }

  function put(id: string, passages: readonly Int8Array[]): void {
    remove(id);
    if (passages.length === 0) return;
    setPlace(pages.length, { id, rows: passages.map(store) });
  }

  function nearest(
    question: Vector,
    limit: number,
    among?: ReadonlySet<string>,
  ): NearPage[] {
    const cosines = packed.cosines(pack(question), owners.length);
    const scores = bestScores(pages.length, owners, cosines);
    if (among !== undefined) {
      pages.forEach(({ id }, place) => among.has(id) || (scores[place] = NaN));
    }
    const ordered = highest(scores, limit, (a, b) => {
      return (pages[a]?.id ?? "") < (pages[b]?.id ?? "") ? -1 : 1;
    });
    return ordered.flatMap((place) => {
      const page = pages[place];
      return page === undefined ? [] : [nearPage(page, cosines)];
    });
  }

  return {
    put,
    nearest,
    vector: ({ pageId, passage }) =>
      unpack(packed.get(pages[places.get(pageId) ?? 0]?.rows[passage] ?? 0)),
    size: () => pages.length,
  };
}

/** The highest cosine of each page: row by row, because pages lie scattered in memory. */
function bestScores(
  pages: number,
  owners: readonly number[],
  cosines: Float32Array,
): Float32Array {
  const scores = new Float32Array(pages).fill(-Infinity);
  for (let row = 0; row < owners.length; row++) {
    const owner = owners[row] ?? NOBODY;
    const cosine = cosines[row] ?? 0;
    if (owner !== NOBODY && cosine > (scores[owner] ?? 0)) scores[owner] = cosine;
  }
  return scores;
}

function nearPage({ id, rows }: Page, cosines: Float32Array): NearPage {
  const best = bestRow(rows, cosines);
  return { pageId: id, passage: rows.indexOf(best), score: cosines[best] ?? 0 };
}

/** The first of the rows with the highest cosine. */
function bestRow(rows: readonly number[], cosines: Float32Array): number {
  let best = rows[0] ?? 0;
  for (const row of rows) {
    if ((cosines[row] ?? 0) > (cosines[best] ?? 0)) best = row;
  }
  return best;
}
