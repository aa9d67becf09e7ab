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
import { type Session, statement } from "./query.ts";
import { read, SOURCE } from "./reader.ts";

export const readDocuments = createDocumentRead(SOURCE);

// Another process may have written it since.
const adder = (table: StoredDocument["table"], version: string) =>
  statement(`
    UPDATE ${table} n SET checksum = old.checksum
    FROM json_to_recordset($1::json) AS old (
      "table" text, workspace text, id text, version integer, checksum integer
    )
    WHERE old."table" = '${table}' AND n.workspace_id = old.workspace AND n.id = old.id
      AND ${version} = old.version AND n.checksum IS NULL
  `);
const adders = [adder("nodes", "n.version"), adder("users", "0"), adder("uploads", "0")];

/** Checks a slice of documents, and adds missing checksums. */
export async function checkDocuments(
  session: Session,
  after: DocumentKey | undefined,
  limit: number,
): Promise<DocumentCheck> {
  const documents = await read(session, readDocuments(after, limit));
  const old = withoutChecksum(documents).map((one) => ({
    table: one.table,
    workspace: one.workspace,
    id: one.id,
    version: one.version,
    checksum: checksumOf(one),
  }));
  if (old.length > 0) await Promise.all(adders.map((add) => add(session, old)));
  return checkSlice(documents, limit);
}
