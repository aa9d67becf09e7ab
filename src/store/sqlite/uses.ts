/**
 * Writing which documents refer to which uploads.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import { uploadsIn } from "../../content/values/hosted_files.ts";
import type { NodeContent } from "../../content/schema/node.ts";
import { expectOne } from "./changes/expectation.ts";
import { type Query, query } from "./query.ts";

/** A document that is written, and when. */
export interface FileUse extends Pick<NodeContent, "doc" | "hasMentions"> {
  readonly id: string;
  /** Milliseconds since the epoch: when the life of an upload without references starts. */
  readonly time: number;
}

export interface UseWriter {
  /** Stores the uses of a new document; throws `Unexpected` if it refers to no uploaded file. */
  insert(workspace: string, written: FileUse): void;
  /** Replaces the uses of a document. */
  replace(workspace: string, written: FileUse): void;
}

/** Prepares the statements that keep what documents refer to. */
export function createUseWriter(db: DatabaseSync): UseWriter {
  const hold = db.prepare(`
    UPDATE uploads SET expires_time = NULL
    WHERE workspace_id = ? AND id = ? AND status = 'uploaded'
  `);
  const add = db.prepare(`
    INSERT INTO upload_uses (workspace_id, node_id, upload_id) VALUES (?, ?, ?)
    ON CONFLICT DO NOTHING
  `);
  const drop: Query<[string]> = query(
    db,
    `DELETE FROM upload_uses WHERE workspace_id = ?1 AND node_id = ?2
      AND upload_id NOT IN (SELECT value FROM json_each(?3))
    RETURNING upload_id`,
  );
  const release = db.prepare(`
    UPDATE uploads SET expires_time = ?3 + life
    WHERE workspace_id = ?1 AND id = ?2 AND NOT EXISTS (
      SELECT 1 FROM upload_uses s WHERE s.workspace_id = ?1 AND s.upload_id = ?2
    )
  `);
  const insert = (workspace: string, id: string, uploads: readonly string[]): void => {
    for (const upload of uploads) {
      expectOne(hold.run(workspace, upload));
      add.run(workspace, id, upload);
    }
  };
  return {
    insert(workspace, written) {
      if (written.hasMentions) insert(workspace, written.id, uploadsIn(written.doc));
    },
    replace(workspace, { id, doc, hasMentions, time }) {
      const uploads = hasMentions ? uploadsIn(doc) : [];
      const dropped = drop.all(workspace, id, JSON.stringify(uploads));
      insert(workspace, id, uploads);
      for (const [upload] of dropped) release.run(workspace, upload, time);
    },
  };
}
