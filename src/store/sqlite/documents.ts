/**
 * Checking stored documents, and adding the checksums that old ones lack.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import { checksumOf } from "../checksum.ts";
import {
  checkSlice,
  type DocumentCheck,
  type DocumentKey,
  type StoredDocument,
  withoutChecksum,
} from "../document_check.ts";
import type { Connection } from "./connection.ts";
import { type Query, query } from "./query.ts";

type Row = readonly [
  workspace: string,
  id: string,
  title: string,
  doc: string,
  version: number,
  checksum: number | null,
];

export type ReadDocuments = (after: DocumentKey | undefined, limit: number) => StoredDocument[];

/** Prepares the statement that reads the documents of all workspaces by slices. */
export function createDocumentReader(db: DatabaseSync): ReadDocuments {
  const behind: Query<Row> = query(
    db,
    `SELECT workspace_id, id, title, doc, version, checksum FROM nodes
    WHERE (workspace_id, id) > (?, ?) ORDER BY workspace_id, id LIMIT ?`,
  );
  return (after, limit) =>
    behind.all(after?.workspace ?? "", after?.id ?? "", limit)
      .map(([workspace, id, title, doc, version, checksum]) => ({
        ...{ workspace, id, title, doc, version, checksum },
      }));
}

/** Prepares what checks a slice of documents, and adds missing checksums. */
export function createDocumentChecker(
  { db, transaction }: Connection,
): (after: DocumentKey | undefined, limit: number) => DocumentCheck {
  const read = createDocumentReader(db);
  // Another process may have written it since.
  const add = db.prepare(`
    UPDATE nodes SET checksum = ?4
    WHERE workspace_id = ?1 AND id = ?2 AND version = ?3 AND checksum IS NULL
  `);
  return (after, limit) => {
    const documents = read(after, limit);
    const old = withoutChecksum(documents);
    if (old.length > 0) {
      transaction(() => {
        for (const one of old) add.run(one.workspace, one.id, one.version, checksumOf(one));
      });
    }
    return checkSlice(documents, limit);
  };
}
