/**
 * Finds the pages whose vectors are nearest to another, by index.
 *
 * @module
 */
import { kindMark, marksOf } from "../../search_marks.ts";
import type { NearQuery, SavedVectors } from "../../port.ts";
import type { Connection } from "../connection.ts";
import { type Query, query } from "../query.ts";
import { BY_INDEX } from "../rows/planning.ts";
import { all, codeOf, marked } from "../search/expressions.ts";
import { NOT_TRASHED } from "../search/in_trash.ts";
import { BY_WORDS } from "../search/planning.ts";
import { COLUMNS, toVectors, type VectorRow } from "../search/vectors.ts";
import { type Direction, directionOf, textOf } from "./direction.ts";

/** Passages to scan first, and to scan if too few of their pages match. */
const FEW = 500;
const MANY = 10_000;
/** Maximum of pgvector's `hnsw.ef_search`. */
const MOST_KEPT = 1_000;

const WITH_VECTORS = `
  JOIN search_vectors v ON v.workspace_id = $1 AND v.space = $2 AND v.page_id = found.page_id
`;

/**
 * Scans the nearest passages, then keeps their pages that are not in the trash and have the marks.
 */
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
      WHERE p.workspace_id = $1 AND p.page_id = v.page_id AND ${NOT_TRASHED}
        AND (SELECT coalesce(bool_and(strpos(p.place, mark) > 0), true)
          FROM unnest($5::text[]) asked (mark))
    )
  `);

/** Compares every page with the marks that is not in the trash; used if they are few. */
const oneByOne = ({ type, operator }: Direction): Query<VectorRow> =>
  query(`
    SELECT ${COLUMNS} FROM (
      SELECT n.page_id FROM search_near n
      WHERE n.workspace_id = $1 AND n.space = $2 AND n.page_id IN (
        SELECT p.page_id FROM search_parts p
        WHERE p.workspace_id = $1 AND p.terms @@ $5::tsquery AND ${NOT_TRASHED}
      )
      GROUP BY n.page_id ORDER BY min(n.direction::${type} ${operator} $3::text::${type}) LIMIT $4
    ) found ${WITH_VECTORS}
  `);

/** Finds the nearest pages in an index that is ready. */
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
    // The index covers this space only, so the planner must see the values to use it. The result is
    // small but has no statistics, so nested loops are requested.
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
    void session.send("SET LOCAL enable_bitmapscan = on", []); // needed to look up terms
    const within = marks.length > 0 ? marks : [kindMark("page")];
    const terms = all(within.map((mark) => marked(codeOf(workspace), mark)));
    return await oneByOne(direction).all(session, ...parameters, limit, terms);
  }, { workspace });
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
