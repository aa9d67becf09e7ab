/**
 * Finds long pages whose words are spread over several parts.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import { PARTS } from "../../search_parts.ts";
import { type Query, query } from "../query.ts";
import type { Steps } from "../steps.ts";
import { NOT_TRASHED } from "./in_trash.ts";
import { createIndexList, type Entry, firstInAll } from "./index_lists.ts";

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

/** Parts of one read: first so few that a page with a word in each of them takes no time. */
const READS = { first: 8, most: 1_024 };

/** Prepares the search for pages that contain every word, each in any part. */
export function createMultiPartFinder(
  db: DatabaseSync,
): (workspace: string, query: MultiPartQuery) => Steps<MultiPartPages> {
  const some: Query<Entry> = query(
    db,
    `SELECT p.no, p.page_id FROM search_words w CROSS JOIN search_parts p ON p.no = w.rowid
    WHERE w.search_words MATCH ? AND w.rowid >= ? AND w.rowid < ?
      AND p.workspace_id = ? AND ${NOT_TRASHED}
    ORDER BY w.rowid DESC LIMIT ?`,
  );
  return function* (workspace, wanted) {
    const { expressions, within, from, before, limit } = wanted;
    const lists = expressions.map((one) => {
      const expression = `${one} AND ${within}`;
      const readParts = (page: number, rows: number) =>
        some.all(expression, from * PARTS, page * PARTS, workspace, rows);
      return createIndexList({
        readBelow: (page, rows) => pagesOf(readParts(page, rows)),
        reads: READS,
      });
    });
    const ids: string[] = [];
    for (let page = yield* firstInAll(lists, before); page !== undefined;) {
      const [no, id] = page;
      ids.push(id);
      if (ids.length === limit) return { ids, rest: no };
      page = yield* firstInAll(lists, no);
    }
    return { ids, rest: undefined };
  };
}

function pagesOf(parts: readonly Entry[]): Entry[] {
  return parts.map(([part, id]) => [Math.floor(part / PARTS), id]);
}
