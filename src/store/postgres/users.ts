/**
 * Writing the users of a workspace.
 *
 * @module
 */
import { isUpToDate, type UserClaims } from "../../content/values/users.ts";
import type { Connection } from "./connection.ts";
import { isReadOnly } from "./failures.ts";
import { statement } from "./query.ts";
import { createRecordSeals, isSealable } from "../record_checksums.ts";
import { read, READS, SOURCE } from "./reader.ts";

const { sealUser } = createRecordSeals(SOURCE);

const save = statement(`
  INSERT INTO users AS u (workspace_id, id, type, name, email, avatar_url, pseudonym)
  VALUES ($1, $2, $3, nullif($4, ''), nullif($5, ''), nullif($6, ''), $7)
  ON CONFLICT (workspace_id, id) DO UPDATE SET
    type = $3, name = nullif(coalesce($4, u.name), ''),
    email = nullif(coalesce($5, u.email), ''), avatar_url = nullif(coalesce($6, u.avatar_url), ''),
    pseudonym = coalesce($7, u.pseudonym)
  WHERE u.erased_time IS NULL
`);

/** Saves users. */
export function createUserWriter(
  { session, transaction }: Connection,
): (workspace: string, claims: UserClaims) => Promise<void> {
  return async (workspace, claims) => {
    // Read first: even an upsert that changes nothing writes.
    const stored = await read(session, READS.storedUser(workspace, claims.id));
    if (isUpToDate(stored?.user, claims)) return;
    const { id, type, name, email, avatarUrl, pseudonym = null } = claims;
    try {
      await transaction(async (session) => {
        await save(session, ...[workspace, id, type, name, email, avatarUrl, pseudonym]);
        if (isSealable(stored, claims)) await read(session, sealUser(workspace, id));
      });
    } catch (error) {
      // A user who is not stored yet may still read a standby; a write is refused for itself.
      if (!isReadOnly(error)) throw error;
    }
  };
}
