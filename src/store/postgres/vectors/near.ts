/**
 * Finding the pages whose vectors are near another by the index.
 *
 * @module
 */
import { kindMark, marksOf } from "../../search_marks.ts";
import type { NearQuery, SavedVectors } from "../../port.ts";
import type { Connection } from "../connection.ts";
import { type Query, query } from "../query.ts";
import { BY_INDEX } from "../rows/planning.ts";
import { all, codeOf, marked } from "../search/expressions.ts";
import { BY_WORDS } from "../search/planning.ts";
import { COLUMNS, toVectors, type VectorRow } from "../search/vectors.ts";
import { type Direction, directionOf, textOf } from "./direction.ts";

/** Passages that are looked at first, and where too few of their pages are meant. */
const FEW = 500;
const MANY = 10_000;
/** The most that the index can be told to keep in mind. */
const MOST_KEPT = 1_000;

const WITH_VECTORS = `
  JOIN search_vectors v ON v.workspace_id = $1 AND v.space = $2 AND v.page_id = found.page_id
`;

/** Near passages, of whichever page; then the pages among theirs that live and have the marks. */
const byIndex = ({ type, operator }: Direction): Query<VectorRow> =>
  query(`
    SELECT ${COLUMNS} FROM (
      SELECT DISTINCT page_id FROM (
        SELECT page_id FROM search_near WHERE workspace_id = $1 AND space = $2
        ORDER BY direction::${type} ${operator} $3::text::${type} LIMIT $4
      ) passages
    ) found ${WITH_VECTORS}
    WHERE EXISTS (
      SELECT FROM search_parts p
      WHERE p.workspace_id = $1 AND p.page_id = v.page_id AND NOT p.trashed
        AND (SELECT coalesce(bool_and(strpos(p.place, mark) > 0), true)
          FROM unnest($5::text[]) asked (mark))
    )
  `);

/** The nearest of all living pages with the marks: one by one, because they are few. */
const oneByOne = ({ type, operator }: Direction): Query<VectorRow> =>
  query(`
    SELECT ${COLUMNS} FROM (
      SELECT n.page_id FROM search_near n
      WHERE n.workspace_id = $1 AND n.space = $2 AND n.page_id IN (
        SELECT p.page_id FROM search_parts p
        WHERE p.workspace_id = $1 AND p.terms @@ $5::tsquery AND NOT p.trashed
      )
      GROUP BY n.page_id ORDER BY min(n.direction::${type} ${operator} $3::text::${type}) LIMIT $4
    ) found ${WITH_VECTORS}
  `);

/** Looks for near pages in an index that is ready. */
export async function findNear(
  { reading }: Connection,
  schema: string,
  ...[workspace, space, { vector, scope, limit }]: [string, number, NearQuery]
): Promise<SavedVectors[]> {
  const direction = directionOf(schema, vector.length);
  const parameters = [workspace, space, textOf(vector)] as const;
  const { kind: _, ...place } = scope;
  const marks = marksOf(place);
  const spaced = marks.map((mark) => ` ${mark} `);
  const found = await reading(async (session) => {
    // The index is one of this space alone: the planner has to see the values to know that it may be
    // used. Rows are few, and statistics know nothing of it: so they are joined one by one.
    void session.send(`${BY_WORDS}; ${BY_INDEX}`, []);
    const look = (passages: number) => {
      void session.send(scanSettings(passages), []);
      return byIndex(direction).all(session, ...parameters, passages, spaced);
    };
    const some = await look(FEW);
    if (some.length >= limit) return some;
    if (some.length * MANY >= limit * FEW) {
      const more = await look(MANY);
      if (more.length >= limit) return more;
    }
    void session.send("SET LOCAL enable_bitmapscan = on", []); // as terms are looked up
    const within = marks.length > 0 ? marks : [kindMark("page")];
    const terms = all(within.map((mark) => marked(codeOf(workspace), mark)));
    return await oneByOne(direction).all(session, ...parameters, limit, terms);
  });
  return found.map(toVectors);
}

/** Settings of an index scan for this many passages, for the rest of the transaction. */
function scanSettings(passages: number): string {
  return `
    SET LOCAL hnsw.ef_search = ${Math.min(passages, MOST_KEPT)};
    SET LOCAL hnsw.iterative_scan = relaxed_order;
    SET LOCAL hnsw.max_scan_tuples = ${20 * passages};
    SET LOCAL hnsw.scan_mem_multiplier = 16;
  `;
}
