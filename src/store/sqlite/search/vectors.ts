/**
 * The vectors of pages.
 *
 * @module
 */
import type {
  DuePage,
  PageIdQuery,
  PageVectors,
  SavedVectors,
  SearchWithin,
  VectorQuery,
} from "../../port.ts";
import { marksOf } from "../../search_marks.ts";
import { dimensionsOf } from "../../vector_dimensions.ts";
import type { Connection } from "../connection.ts";
import { type Query, query } from "../query.ts";
import { createDueFinisher } from "./due.ts";
import { NOT_TRASHED } from "./in_trash.ts";

export interface VectorTable {
  saveVectors(
    workspace: string,
    space: number,
    pages: readonly (DuePage & PageVectors)[],
  ): boolean;
  vectors(workspace: string, space: number, query: VectorQuery): SavedVectors[];
  sweepVectors(workspace: string, limit: number): number;
  pageIds(workspace: string, query: PageIdQuery): string[];
  pagesWithin(workspace: string, ids: readonly string[], scope: SearchWithin): string[];
}

type Row = readonly [id: string, sequence: number, blocks: string, vectors: Uint8Array];

/** Prepares the statements on vectors. */
export function createVectorTable(connection: Connection): VectorTable {
  const { db, transaction } = connection;
  const saved: Query<Row> = query(
    db,
    `SELECT page_id, sequence, blocks, vectors FROM search_vectors
    WHERE workspace_id = ? AND space = ? AND sequence > ? ORDER BY sequence LIMIT ?`,
  );
  const sweep = db.prepare(`
    DELETE FROM search_vectors WHERE rowid IN (
      SELECT v.rowid FROM search_vectors v WHERE v.workspace_id = ?1 AND v.space < (
        SELECT min(number) FROM search_spaces WHERE workspace_id = ?1
      ) LIMIT ?2
    )
  `);
  const pages: Query<[string]> = query(
    db,
    `SELECT id FROM nodes INDEXED BY pages_by_id
    WHERE workspace_id = ? AND id > ? AND kind = 'page'
    ORDER BY id LIMIT ?`,
  );
  const places: Query<[id: string, place: string]> = query(
    db,
    `SELECT p.page_id, p.place FROM json_each(?2) wanted
    CROSS JOIN search_parts p ON p.workspace_id = ?1 AND p.page_id = wanted.value
    WHERE ${NOT_TRASHED}`,
  );
  return {
    saveVectors: createSave(connection),
    vectors: (workspace, space, { after, limit }) =>
      saved.all(workspace, space, after, limit).map(toVectors),
    sweepVectors: (workspace, limit) =>
      transaction(() => Number(sweep.run(workspace, limit).changes)),
    pageIds: (workspace, { after = "", limit }) =>
      pages.all(workspace, after, limit).map(([id]) => id),
    pagesWithin(workspace, ids, scope) {
      const marks = marksOf({ ...scope, kind: "page" });
      const found = places.all(workspace, JSON.stringify(ids));
      const within = found.filter(([, place]) =>
        marks.every((mark) => place.includes(` ${mark} `))
      );
      return [...new Set(within.map(([id]) => id))];
    },
  };
}

/** Prepares the statements that number and save vectors. */
function createSave({ db, transaction }: Connection): VectorTable["saveVectors"] {
  const finish = createDueFinisher(db);
  const fit: Query<[number]> = query(
    db,
    `UPDATE search_spaces SET dimensions = coalesce(dimensions, ?3)
    WHERE workspace_id = ?1 AND number = ?2 RETURNING dimensions`,
  );
  const number: Query<[number]> = query(
    db,
    `UPDATE search_spaces SET sequence = sequence + 1 WHERE workspace_id = ? AND number = ?
    RETURNING sequence`,
  );
  const save = db.prepare(`
    INSERT INTO search_vectors (workspace_id, space, page_id, sequence, blocks, vectors)
    VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET
      sequence = excluded.sequence, blocks = excluded.blocks, vectors = excluded.vectors
  `);
  return (workspace, space, pages) =>
    transaction(() => {
      const dimensions = dimensionsOf(pages);
      if (dimensions !== undefined) {
        const [kept = dimensions] = fit.get(workspace, space, dimensions) ?? [];
        if (kept !== dimensions) return false;
      }
      for (const { id, change, blocks, vectors } of pages) {
        if (!finish(workspace, { id, change })) continue;
        const [sequence] = number.get(workspace, space) ?? [];
        // The space was deleted in the meantime, so its vectors are not needed.
        if (sequence === undefined) continue;
        save.run(workspace, space, id, sequence, JSON.stringify(blocks), vectors);
      }
      return true;
    });
}

function toVectors([id, sequence, blocks, vectors]: Row): SavedVectors {
  // Sound because `saveVectors` alone writes it.
  return { id, sequence, blocks: JSON.parse(blocks) as (string | null)[], vectors };
}
