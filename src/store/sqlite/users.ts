/**
 * Writing the users of a workspace.
 *
 * @module
 */
import { isUpToDate, type UserClaims } from "../../content/values/users.ts";
import { createRecordSeals, isSealable } from "../record_checksums.ts";
import { createUserReads } from "../reads/users.ts";
import type { Connection } from "./connection.ts";
import { createReader } from "./reader.ts";

/** Prepares the statements that save a user. */
export function createUserWriter(
  { db, transaction }: Connection,
): (workspace: string, claims: UserClaims) => void {
  const { source, run } = createReader(db);
  const { storedUser } = createUserReads(source);
  const { sealUser } = createRecordSeals(source);
  const save = db.prepare(`
    INSERT INTO users (workspace_id, id, type, name, email, avatar_url, pseudonym)
    VALUES (?1, ?2, ?3, nullif(?4, ''), nullif(?5, ''), nullif(?6, ''), ?7)
    ON CONFLICT (workspace_id, id) DO UPDATE SET
      type = ?3, name = nullif(coalesce(?4, name), ''),
      email = nullif(coalesce(?5, email), ''), avatar_url = nullif(coalesce(?6, avatar_url), ''),
      pseudonym = coalesce(?7, pseudonym)
    WHERE users.erased_time IS NULL
  `);
  return (workspace, claims) => {
    // Read first: even an upsert that changes nothing takes the write lock.
    const stored = run(storedUser(workspace, claims.id));
    if (isUpToDate(stored?.user, claims)) return;
    const { id, type, name, email, avatarUrl, pseudonym = null } = claims;
    transaction(() => {
      save.run(workspace, id, type, name, email, avatarUrl, pseudonym);
      if (isSealable(stored, claims)) run(sealUser(workspace, id));
    });
  };
}
