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
  type StoredDocument,
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
  const adder = (table: StoredDocument["table"], version: string) =>
    db.prepare(`
      UPDATE ${table} SET checksum = ?4
      WHERE workspace_id = ?1 AND id = ?2 AND ${version} = ?3 AND checksum IS NULL
    `);
  const add = {
    nodes: adder("nodes", "version"),
    users: adder("users", "0"),
    uploads: adder("uploads", "0"),
  };
  return (after, limit) => {
    const documents = run(read(after, limit));
    const old = withoutChecksum(documents);
    if (old.length > 0) {
      transaction(() => {
        for (const one of old) {
          add[one.table].run(one.workspace, one.id, one.version, checksumOf(one));
        }
      });
    }
    return checkSlice(documents, limit);
  };
}
