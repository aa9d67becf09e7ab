/**
 * Reading the documents of nodes and comments in all workspaces, a slice at a time.
 *
 * @module
 */
import type { DocumentKey, StoredDocument } from "../document_check.ts";
import type { ReadPlan, Source } from "./query.ts";

type Row = readonly [
  workspace: string,
  id: string,
  title: string,
  doc: string,
  version: number,
  checksum: number | null,
];

/** Reads at most `limit` documents, after `after` or from the first. */
export type ReadDocuments = (
  after: DocumentKey | undefined,
  limit: number,
) => ReadPlan<StoredDocument[]>;

/** Declares the statement that reads documents: both tables in the order of their primary keys. */
export function createDocumentRead({ query }: Source): ReadDocuments {
  const next = query<Row>(
    `SELECT workspace_id, id, title, doc, version, checksum FROM nodes
    WHERE (workspace_id, id) > ($1, $2)
    UNION ALL
    SELECT workspace_id, id, '', doc, version, checksum FROM comments
    WHERE (workspace_id, id) > ($1, $2)
    ORDER BY workspace_id, id LIMIT $3`,
  );
  return (after, limit) => next.all([after?.workspace ?? "", after?.id ?? "", limit], toDocument);
}

function toDocument([workspace, id, title, doc, version, checksum]: Row): StoredDocument {
  return { workspace, id, title, doc, version, checksum };
}
