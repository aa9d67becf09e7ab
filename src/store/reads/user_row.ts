/**
 * The columns of a user.
 *
 * @module
 */
import type { User, UserRecord } from "../../content/values/users.ts";
import { assertIntact, type Checked } from "../checksum.ts";

export const USER_COLUMNS = `
  u.id, u.type, u.name, u.email, u.avatar_url, u.pseudonym, u.erased_time, u.checksum
`;

/** USER_COLUMNS, one for one. */
export type UserRow = readonly [
  id: string,
  type: User["type"],
  name: string | null,
  email: string | null,
  avatarUrl: string | null,
  pseudonym: string | null,
  erasedTime: number | null,
  checksum: number | null,
];

/** A user that was not compared with its checksum yet. */
export interface StoredUser {
  readonly user: UserRecord;
  readonly checked: Checked;
  /** Null if it was written before there were checksums. */
  readonly checksum: number | null;
}

export function toStoredUser(
  [id, type, name, email, avatarUrl, pseudonym, erasedTime, checksum]: UserRow,
): StoredUser {
  const doc = JSON.stringify([type, name, email, avatarUrl, pseudonym]);
  return {
    user: { id, type, name, email, avatarUrl, pseudonym, erasedTime },
    checked: { id, title: "", doc },
    checksum,
  };
}

/** Returns the user. Throws `data_corrupted` if it has changed since it was written. */
export function toUserRecord(workspace: string, row: UserRow): UserRecord {
  const { user, checked, checksum } = toStoredUser(row);
  assertIntact(workspace, checked, checksum);
  return user;
}
