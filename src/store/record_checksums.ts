/**
 * Checksums of users and uploads: their columns are checked as the document of a node is.
 *
 * @module
 */
import { isComplete, type UserClaims } from "../content/values/users.ts";
import { checksumOf, isIntact } from "./checksum.ts";
import type { ReadPlan, Source } from "./reads/query.ts";
import { toStoredUpload, UPLOAD_COLUMNS, type UploadRow } from "./reads/upload_row.ts";
import { type StoredUser, toStoredUser, USER_COLUMNS, type UserRow } from "./reads/user_row.ts";

/** Plans to run in the transaction that changed a user or upload. */
export interface RecordSeals {
  /** Sets the checksum of a user as it is stored now. */
  sealUser(workspace: string, id: string): ReadPlan<void>;
  /** Sets the checksum of an upload as it is stored now. */
  sealUpload(workspace: string, id: string): ReadPlan<void>;
}

/** Declares the statements that set checksums. */
export function createRecordSeals({ query }: Source): RecordSeals {
  const user = query<UserRow>(
    `SELECT ${USER_COLUMNS} FROM users u WHERE u.workspace_id = $1 AND u.id = $2`,
  );
  const upload = query<UploadRow>(
    `SELECT ${UPLOAD_COLUMNS} FROM uploads u WHERE u.workspace_id = $1 AND u.id = $2`,
  );
  const seal = (table: "users" | "uploads") =>
    query<[]>(`UPDATE ${table} SET checksum = $3 WHERE workspace_id = $1 AND id = $2`);
  const [sealUser, sealUpload] = [seal("users"), seal("uploads")];
  return {
    *sealUser(workspace, id) {
      const checked = yield* user.first([workspace, id], (row) => toStoredUser(row).checked);
      if (checked) yield [sealUser.question([workspace, id, checksumOf(checked)])];
    },
    *sealUpload(workspace, id) {
      const checked = yield* upload.first([workspace, id], (row) => toStoredUpload(row).checked);
      if (checked) yield [sealUpload.question([workspace, id, checksumOf(checked)])];
    },
  };
}

/** Returns whether no column of a user can be damaged once these claims are saved. */
export function isSealable(before: StoredUser | undefined, claims: UserClaims): boolean {
  return before === undefined || isIntact(before.checked, before.checksum) || isComplete(claims);
}
