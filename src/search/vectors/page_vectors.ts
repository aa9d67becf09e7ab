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
  /** The nearest pages, nearest first, equally near ones by id. */
  nearest(question: Vector, limit: number): NearPage[];
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

/** No pages yet, for vectors of so many dimensions. */
export function createPageVectors(dimensions: number): PageVectors {
  const packed = createPackedVectors(dimensions);
  const pages: Page[] = [];
  const places = new Map<string, number>();
  const freeRows: number[] = [];
  let rowCount = 0;

  function store(vector: Int8Array): number {
    const row = freeRows.pop() ?? rowCount++;
    packed.set(row, vector);
    return row;
  }

  function remove(id: string): void {
    const place = places.get(id);
    const last = pages.at(-1);
    if (place === undefined || last === undefined) return;
    freeRows.push(...pages[place]?.rows ?? []);
    // The last page takes the free place, so that a search meets no gaps.
    pages[place] = last;
    places.set(last.id, place);
    pages.pop();
    places.delete(id);
  }

  function put(id: string, passages: readonly Int8Array[]): void {
    remove(id);
    if (passages.length === 0) return;
    places.set(id, pages.length);
    pages.push({ id, rows: passages.map(store) });
  }

  function nearest(question: Vector, limit: number): NearPage[] {
    const cosines = packed.cosines(pack(question), rowCount);
    const ordered = highest(bestScores(pages, cosines), limit, (a, b) => {
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

function bestScores(pages: readonly Page[], cosines: Float32Array): Float32Array {
  const scores = new Float32Array(pages.length);
  for (let place = 0; place < pages.length; place++) {
    const page = pages[place];
    if (page !== undefined) scores[place] = cosines[bestRow(page.rows, cosines)] ?? 0;
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
