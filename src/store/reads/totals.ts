/**
 * Reading how much waits and how much is stored, over all workspaces, at a bounded cost.
 *
 * @module
 */
import type { Backlogs, FilePortion, UploadKey } from "../port.ts";
import type { ReadPlan, Source } from "./query.ts";

export interface TotalReads {
  backlogs(most: number): ReadPlan<Backlogs>;
  filePortion(after: UploadKey | undefined, limit: number): ReadPlan<FilePortion>;
}

type FileRow = readonly [
  workspace: string,
  id: string,
  blob: string | null,
  contentLength: number | null,
];

/** Declares the statements. */
export function createTotalReads({ query }: Source): TotalReads {
  const upTo = (table: string) =>
    `(SELECT count(*) FROM (SELECT 1 FROM ${table} LIMIT $1) AS first_of_${table})`;
  const backlogs = query<[vectors: number, words: number, orphans: number]>(
    `SELECT ${upTo("search_due")}, ${upTo("search_filling")}, ${upTo("leftovers")}`,
  );
  const files = query<FileRow>(
    `SELECT workspace_id, id, blob, content_length FROM uploads
    WHERE (workspace_id, id) > ($1, $2) ORDER BY workspace_id, id LIMIT $3`,
  );
  return {
    *backlogs(most) {
      const counts = yield* backlogs.first([most], ([vectors, words, orphans]) => ({
        vectors,
        words,
        orphans,
      }));
      return counts ?? { vectors: 0, words: 0, orphans: 0 };
    },
    *filePortion(after, limit) {
      const values = [after?.workspace ?? "", after?.id ?? "", limit];
      const rows = yield* files.all(values, (row) => row);
      const stored = rows.filter(([, , blob]) => blob !== null);
      const last = rows.at(-1);
      return {
        files: stored.length,
        bytes: stored.reduce((sum, [, , , length]) => sum + (length ?? 0), 0),
        last: last === undefined ? undefined : { workspace: last[0], id: last[1] },
      };
    },
  };
}
