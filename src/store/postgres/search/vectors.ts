/**
 * Stores the vectors of pages.
 *
 * @module
 */
import type { SavedVectors, VectorStore } from "../../port.ts";

import { marksOf } from "../../search_marks.ts";
import { dimensionsOf } from "../../vector_dimensions.ts";
import type { Connection } from "../connection.ts";
import { query, statement } from "../query.ts";
import { lockWorkspace } from "../workspace_lock.ts";
import { finishDue } from "./due.ts";
import { NOT_TRASHED } from "./in_trash.ts";

/** A row of `COLUMNS`. */
export type VectorRow = readonly [
  id: string,
  sequence: number,
  blocks: string,
  vectors: Uint8Array,
];

export const COLUMNS = "v.page_id, v.sequence, v.blocks, v.vectors";

/** Selects the vectors saved after a sequence number, in the order in which they were saved. */
export const saved = query<VectorRow>(`
  SELECT ${COLUMNS} FROM search_vectors v
  WHERE v.workspace_id = $1 AND v.space = $2 AND v.sequence > $3 ORDER BY v.sequence LIMIT $4
`);
const sweep = statement(`
  DELETE FROM search_vectors s WHERE s.workspace_id = $1 AND (s.space, s.page_id) IN (
    SELECT v.space, v.page_id FROM search_vectors v
    WHERE v.workspace_id = $1 AND v.space < (
      SELECT min(number) FROM search_spaces WHERE workspace_id = $1
    ) LIMIT $2
  )
`);
const pages = query<[string]>(`
  SELECT id FROM nodes WHERE workspace_id = $1 AND id > $2 AND kind = 'page'
  ORDER BY id LIMIT $3
`);
const places = query<[id: string, place: string]>(`
  SELECT DISTINCT p.page_id, p.place FROM search_parts p
  WHERE p.workspace_id = $1 AND p.page_id = ANY ($2::text[]) AND ${NOT_TRASHED}
`);
const fit = query<[number]>(`
  UPDATE search_spaces SET dimensions = coalesce(dimensions, $3)
  WHERE workspace_id = $1 AND number = $2 RETURNING dimensions
`);
// Its row stays locked until the vectors are visible, so that no reader skips a missing number.
const number = query<[number]>(`
  UPDATE search_spaces SET sequence = sequence + cardinality($3::text[]), vectors = vectors + $4 - (
    SELECT coalesce(sum(json_array_length(v.blocks::json)), 0) FROM search_vectors v
    WHERE v.workspace_id = $1 AND v.space = $2 AND v.page_id = ANY ($3::text[])
  )
  WHERE workspace_id = $1 AND number = $2
  RETURNING sequence
`);
const save = statement(`
  INSERT INTO search_vectors (workspace_id, space, page_id, sequence, blocks, vectors)
  SELECT $1, $2, fresh.id, fresh.sequence, fresh.blocks, decode(fresh.vectors, 'base64')
  FROM json_to_recordset($3::json) AS fresh (id text, sequence bigint, blocks text, vectors text)
  ON CONFLICT (workspace_id, space, page_id) DO UPDATE SET
    sequence = excluded.sequence, blocks = excluded.blocks, vectors = excluded.vectors
`);

type VectorTable = Pick<
  VectorStore,
  "saveVectors" | "vectors" | "sweepVectors" | "pageIds" | "pagesWithin"
>;

/** Creates the reads and writes of vectors. */
export function createVectorTable({ session, transaction }: Connection): VectorTable {
  return {
    saveVectors: (workspace, space, all) =>
      transaction(
        async (session) => {
          const dimensions = dimensionsOf(all);
          const [, fitted] = await Promise.all([
            lockWorkspace(session, workspace),
            dimensions === undefined ? undefined : fit.get(session, workspace, space, dimensions),
          ]);
          if (fitted !== undefined && fitted[0] !== dimensions) return false;
          const finished = await finishDue(session, workspace, all);
          const current = all.filter(({ id }) => finished.has(id));
          const ids = current.map(({ id }) => id);
          const count = current.reduce((sum, { blocks }) => sum + blocks.length, 0);
          const [last] = await number.get(session, workspace, space, ids, count) ?? [];
          // The space was deleted in the meantime, so its vectors are not needed.
          if (last === undefined) return true;
          const first = last - current.length + 1;
          const rows = current.map(({ id, blocks, vectors }, index) => ({
            id,
            sequence: first + index,
            blocks: JSON.stringify(blocks),
            vectors: vectors.toBase64(),
          }));
          await save(session, workspace, space, rows);
          return true;
        },
        undefined,
        workspace,
      ),
    vectors: async (workspace, space, { after, limit }) =>
      (await saved.all(session, workspace, space, after, limit)).map(toVectors),
    sweepVectors: (workspace, limit) => transaction((session) => sweep(session, workspace, limit)),
    pageIds: async (workspace, { after = "", limit }) =>
      (await pages.all(session, workspace, after, limit)).map(([id]) => id),
    async pagesWithin(workspace, ids, scope) {
      const marks = marksOf({ ...scope, kind: "page" });
      const found = await places.all(session, workspace, ids);
      const within = found.filter(([, place]) =>
        marks.every((mark) => place.includes(` ${mark} `))
      );
      return [...new Set(within.map(([id]) => id))];
    },
  };
}

/** Converts a row to vectors. */
export function toVectors([id, sequence, blocks, vectors]: VectorRow): SavedVectors {
  // Sound because `saveVectors` alone writes it.
  return { id, sequence, blocks: JSON.parse(blocks) as (string | null)[], vectors };
}
