/**
 * Finds long pages whose words are spread over several parts.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import { PARTS } from "../../search_parts.ts";
import { type Query, query } from "../query.ts";

export interface MultiPartQuery {
  /** The FTS5 expression of each word. */
  readonly expressions: readonly string[];
  readonly within: string;
  /** Range of page numbers: `from` inclusive, `before` exclusive. */
  readonly from: number;
  readonly before: number;
  readonly limit: number;
}

export interface MultiPartPages {
  readonly ids: readonly string[];
  /** Number below which there may be more pages; undefined if these are all. */
  readonly rest: number | undefined;
}

/** A page's number in the index, and its ID. */
type Row = readonly [no: number, id: string];

/** Index rows per read. */
const CHUNK = 1_000;

/** Prepares the search for pages that contain every word, each in any part. */
export function createMultiPartFinder(
  db: DatabaseSync,
): (workspace: string, query: MultiPartQuery) => MultiPartPages {
  const some: Query<Row> = query(
    db,
    `SELECT p.no, p.page_id FROM search_words w CROSS JOIN search_parts p ON p.no = w.rowid
    WHERE w.search_words MATCH ? AND w.rowid >= ? AND w.rowid < ?
      AND p.workspace_id = ? AND p.trashed = 0
    ORDER BY w.rowid DESC LIMIT ?`,
  );
  /** Yields the pages that contain one word, each once, highest number first. */
  function* pagesWith(
    workspace: string,
    expression: string,
    { from, before }: MultiPartQuery,
  ): Generator<Row, undefined> {
    let last = before;
    for (let isWhole = false; !isWhole;) {
      const rows: Row[] = some.all(expression, from * PARTS, last * PARTS, workspace, CHUNK);
      for (const [no, id] of rows) {
        const page = Math.floor(no / PARTS);
        if (page === last) continue;
        last = page;
        yield [page, id];
      }
      isWhole = rows.length < CHUNK;
    }
    return undefined;
  }
  return (workspace, wanted) => {
    const { expressions, within, limit } = wanted;
    const lists = expressions.map((one) => pagesWith(workspace, `${one} AND ${within}`, wanted));
    const found: Row[] = [];
    for (const row of inAll(lists)) {
      found.push(row);
      if (found.length === limit) return { ids: idsOf(found), rest: row[0] };
    }
    return { ids: idsOf(found), rest: undefined };
  };
}

function idsOf(rows: readonly Row[]): string[] {
  return rows.map(([, id]) => id);
}

/** Yields the rows that all lists contain; each list is in descending order. */
function* inAll(lists: readonly Generator<Row, undefined>[]): Generator<Row> {
  let heads = lists.map((list) => list.next().value);
  while (true) {
    const rows = heads.filter((head) => head !== undefined);
    const [first] = rows;
    if (first === undefined || rows.length < heads.length) return;
    const lowest = rows.reduce((low, row) => row[0] < low[0] ? row : low, first);
    const isInAll = rows.every(([no]) => no === lowest[0]);
    if (isInAll) yield lowest;
    heads = lists.map((list, index) => {
      const head = rows[index];
      const stays = !isInAll && head?.[0] === lowest[0];
      return stays ? head : list.next().value;
    });
  }
}
