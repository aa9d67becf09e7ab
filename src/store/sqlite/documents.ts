/**
 * Checking stored documents, and adding the checksums that old ones lack.
 *
 * @module
 */
import { checksumOf } from "../checksum.ts";
import {
  checkSlice,
  type DocumentCheck,
  type DocumentKey,
  withoutChecksum,
} from "../document_check.ts";
import { createDocumentRead } from "../reads/documents.ts";
import type { Connection } from "./connection.ts";
import { createReader } from "./reader.ts";

/** Prepares the check of a slice of documents, which adds missing checksums. */
export function createDocumentChecker(
  { db, transaction }: Connection,
): (after: DocumentKey | undefined, limit: number) => DocumentCheck {
  const { source, run } = createReader(db);
  const read = createDocumentRead(source);
  // Another process may have written it since.
  const add = db.prepare(`
    UPDATE nodes SET checksum = ?4
    WHERE workspace_id = ?1 AND id = ?2 AND version = ?3 AND checksum IS NULL
  `);
  return (after, limit) => {
    const documents = run(read(after, limit));
    const old = withoutChecksum(documents);
    if (old.length > 0) {
      transaction(() => {
        for (const one of old) add.run(one.workspace, one.id, one.version, checksumOf(one));
      });
    }
    return checkSlice(documents, limit);
  };
}
