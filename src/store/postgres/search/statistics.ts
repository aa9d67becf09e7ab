/**
 * Counts how common words are.
 *
 * @module
 */
import type { Phrase } from "../../../search/text/query.ts";
import type { WordStatistics } from "../../port.ts";
import { COUNTED, totalCount } from "../../search_counts.ts";
import type { Connection } from "../connection.ts";
import { query } from "../query.ts";
import { codeOf, phrased, textOf } from "./expressions.ts";
import { BY_WORDS } from "./planning.ts";

type CountedRow = readonly [
  parts: number,
  length: number,
  first: number | null,
  last: number | null,
];

const workspaceParts = query<CountedRow>(`
  SELECT parts, length,
    (SELECT min(no) FROM search_parts WHERE workspace_id = $1),
    (SELECT max(no) FROM search_parts WHERE workspace_id = $1)
  FROM search_workspaces WHERE workspace_id = $1
`);
const newest = query<[count: number, lowest: number | null]>(`
  SELECT count(*), min(no) FROM (
    SELECT p.no FROM search_parts p
    WHERE p.workspace_id = $1 AND p.terms @@ $2::tsquery
      AND (strpos(p.title, $3) > 0 OR strpos(p.body, $3) > 0)
    ORDER BY p.no DESC LIMIT $4
  ) latest
`);

/** Creates the function that counts the parts containing each phrase. */
export function createWordCounter(
  { reading }: Connection,
): (workspace: string, phrases: readonly Phrase[]) => Promise<WordStatistics> {
  return (workspace, phrases) =>
    reading(async (session) => {
      void session.send(BY_WORDS, []);
      const code = codeOf(workspace);
      const [whole, counted] = await Promise.all([
        workspaceParts.get(session, workspace),
        Promise.all(phrases.map((phrase) => {
          const search = [phrased(code, phrase), textOf(phrase)];
          return newest.get(session, workspace, ...search, COUNTED);
        })),
      ]);
      const [parts = 0, length = 0, first, last] = whole ?? [];
      const all = { parts, first: first ?? 0, last: last ?? 0 };
      const counts = counted.map(([count, lowest] = [0, null]) =>
        totalCount({ count, lowest: lowest ?? 0 }, all)
      );
      return { parts, length, counts };
    }, { workspace });
}
