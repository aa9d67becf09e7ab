/**
 * How common words are.
 *
 * @module
 */
import type { Phrase } from "../../../search/text/query.ts";
import type { WordStatistics } from "../../port.ts";
import { query, type Session } from "../query.ts";
import { codeOf, phrased, textOf } from "./expressions.ts";

/** Parts that are counted of each phrase; beyond them the rest is taken to be as dense. */
const COUNTED = 4_000;

type Known = readonly [parts: number, length: number, first: number | null, last: number | null];

const known = query<Known>(`
  SELECT parts, length,
    (SELECT min(no) FROM search_parts WHERE workspace_id = $1),
    (SELECT max(no) FROM search_parts WHERE workspace_id = $1)
  FROM search_workspaces WHERE workspace_id = $1
`);
const newest = query<[count: number, lowest: number | null]>(`
  SELECT counted.parts, counted.lowest
  FROM unnest($2::text[], $3::text[]) WITH ORDINALITY asked (terms, text, place)
  CROSS JOIN LATERAL (
    SELECT count(*) AS parts, min(no) AS lowest FROM (
      SELECT p.no FROM search_parts p
      WHERE p.workspace_id = $1 AND p.terms @@ asked.terms::tsquery
        AND (strpos(p.title, asked.text) > 0 OR strpos(p.body, asked.text) > 0)
      ORDER BY p.no DESC LIMIT $4
    ) latest
  ) counted
  ORDER BY asked.place
`);

/** Counts words over a session. */
export function createWordCounter(
  session: Session,
): (workspace: string, phrases: readonly Phrase[]) => Promise<WordStatistics> {
  return async (workspace, phrases) => {
    const code = codeOf(workspace);
    const [whole, counted] = await Promise.all([
      known.get(session, workspace),
      newest.all(
        session,
        ...[
          workspace,
          phrases.map((phrase) => phrased(code, phrase)),
          phrases.map(textOf),
          COUNTED,
        ],
      ),
    ]);
    const [parts = 0, length = 0, first, last] = whole ?? [];
    const counts = counted.map(([count, lowest]) => {
      if (count < COUNTED) return count;
      const density = count / ((last ?? 0) - (lowest ?? 0) + 1);
      return Math.min(parts, Math.round(density * ((last ?? 0) - (first ?? 0) + 1)));
    });
    return { parts, length, counts };
  };
}
