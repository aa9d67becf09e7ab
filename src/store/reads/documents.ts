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

/** Declares the statement that reads documents. */
export function createDocumentRead({ query }: Source): ReadDocuments {
  // Limited by themselves, so that each table is read in the order of its primary key.
  const some = (table: string, title: string) =>
    `SELECT * FROM (
      SELECT workspace_id, id, ${title} AS title, doc, version, checksum FROM ${table}
      WHERE (workspace_id, id) > ($1, $2) ORDER BY workspace_id, id LIMIT $3
    ) some_of_${table}`;
  const next = query<Row>(
    `${some("nodes", "title")} UNION ALL ${some("comments", "''")}
    ORDER BY workspace_id, id LIMIT $3`,
  );
  return (after, limit) => next.all([after?.workspace ?? "", after?.id ?? "", limit], toDocument);
}

function toDocument([workspace, id, title, doc, version, checksum]: Row): StoredDocument {
  return { workspace, id, title, doc, version, checksum };
}
