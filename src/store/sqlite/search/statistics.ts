/**
 * Counts how common words are.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import type { Phrase } from "../../../search/text/query.ts";
import type { WordStatistics } from "../../port.ts";
import { COUNTED, totalCount } from "../../search_counts.ts";
import { type Query, query } from "../query.ts";
import { createIndexedReader } from "./codes.ts";
import { phrased } from "./expressions.ts";

/** Prepares the function that counts the parts containing each phrase. */
export function createWordCounter(
  db: DatabaseSync,
): (workspace: string, phrases: readonly Phrase[]) => WordStatistics {
  const indexed = createIndexedReader(db);
  const newest: Query<[count: number, lowest: number | null]> = query(
    db,
    `SELECT count(*), min(wanted.rowid) FROM (
      SELECT rowid FROM search_words WHERE search_words MATCH ? ORDER BY rowid DESC LIMIT ?
    ) wanted`,
  );
  const ends: Query<[first: number, last: number]> = query(
    db,
    `SELECT
      (SELECT no FROM search_parts WHERE workspace_id = ?1 ORDER BY no LIMIT 1),
      (SELECT no FROM search_parts WHERE workspace_id = ?1 ORDER BY no DESC LIMIT 1)`,
  );
  return (workspace, phrases) => {
    const workspaceIndex = indexed(workspace);
    if (workspaceIndex === undefined) return { parts: 0, length: 0, counts: phrases.map(() => 0) };
    const { code, parts, length } = workspaceIndex;
    const [first = 0, last = 0] = ends.get(workspace) ?? [];
    const counts = phrases.map((phrase) => {
      const [count = 0, lowest] = newest.get(phrased(code, phrase), COUNTED) ?? [];
      return totalCount({ count, lowest: lowest ?? 0 }, { parts, first, last });
    });
    return { parts, length, counts };
  };
}
