/**
 * Reading the documents of nodes, comments, users and uploads in all workspaces, a slice at a time.
 *
 * @module
 */
import { compareCodePoints } from "../../content/schema/collation.ts";
import type { DocumentKey, StoredDocument } from "../document_check.ts";
import type { ReadPlan, Source } from "./query.ts";
import { toStoredUpload, UPLOAD_COLUMNS, type UploadRow } from "./upload_row.ts";
import { type StoredUser, toStoredUser, USER_COLUMNS, type UserRow } from "./user_row.ts";

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
  const records = <R extends readonly unknown[]>(table: string, columns: string) =>
    query<readonly [workspace: string, ...R]>(
      `SELECT u.workspace_id, ${columns} FROM ${table} u
      WHERE (u.workspace_id, u.id) > ($1, $2) ORDER BY u.workspace_id, u.id LIMIT $3`,
    );
  const users = records<UserRow>("users", USER_COLUMNS);
  const uploads = records<UploadRow>("uploads", UPLOAD_COLUMNS);
  return function* (after, limit) {
    const values = [after?.workspace ?? "", after?.id ?? "", limit];
    const found = yield [next, users, uploads].map((one) => one.question(values));
    return [
      ...next.rowsOf(found[0]).map(toDocument),
      ...users.rowsOf(found[1]).map(([workspace, ...row]) =>
        toRecord("users", workspace, toStoredUser(row))
      ),
      ...uploads.rowsOf(found[2]).map(([workspace, ...row]) =>
        toRecord("uploads", workspace, toStoredUpload(row))
      ),
    ].sort(byKey).slice(0, limit);
  };
}

function toDocument([workspace, id, title, doc, version, checksum]: Row): StoredDocument {
  return { table: "nodes", workspace, id, title, doc, version, checksum };
}

/** Users and uploads have no version: only what changes them gives them a checksum. */
function toRecord(
  table: "users" | "uploads",
  workspace: string,
  { checked, checksum }: Pick<StoredUser, "checked" | "checksum">,
): StoredDocument {
  return { table, workspace, ...checked, version: 0, checksum };
}

function byKey(a: StoredDocument, b: StoredDocument): number {
  return compareCodePoints(a.workspace, b.workspace) || compareCodePoints(a.id, b.id);
}
