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
import { query, type Session, statement } from "./query.ts";

type Row = readonly [
  workspace: string,
  id: string,
  title: string,
  doc: string,
  version: number,
  checksum: number | null,
];

const behind = query<Row>(`
  SELECT workspace_id, id, title, doc, version, checksum FROM nodes
  WHERE (workspace_id, id) > ($1, $2) ORDER BY workspace_id, id LIMIT $3
`);
// Another process may have written it since.
const add = statement(`
  UPDATE nodes n SET checksum = old.checksum
  FROM json_to_recordset($1::json) AS old (
    workspace text, id text, version integer, checksum integer
  )
  WHERE n.workspace_id = old.workspace AND n.id = old.id AND n.version = old.version
    AND n.checksum IS NULL
`);

/** Reads the documents of all workspaces by slices. */
export async function readDocuments(
  session: Session,
  after: DocumentKey | undefined,
  limit: number,
): Promise<StoredDocument[]> {
  const rows = await behind.all(session, after?.workspace ?? "", after?.id ?? "", limit);
  return rows.map(([workspace, id, title, doc, version, checksum]) => ({
    ...{ workspace, id, title, doc, version, checksum },
  }));
}

/** Checks a slice of documents, and adds missing checksums. */
export async function checkDocuments(
  session: Session,
  after: DocumentKey | undefined,
  limit: number,
): Promise<DocumentCheck> {
  const documents = await readDocuments(session, after, limit);
  const old = withoutChecksum(documents).map((one) => ({
    ...{ workspace: one.workspace, id: one.id, version: one.version },
    checksum: checksumOf(one),
  }));
  if (old.length > 0) await add(session, old);
  return checkSlice(documents, limit);
}
