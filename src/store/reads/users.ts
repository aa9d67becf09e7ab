/**
 * Reading the users of a workspace.
 *
 * @module
 */
import type { User, UserRecord } from "../../content/values/users.ts";
import type { ReadPlan, Source } from "./query.ts";
import {
  type StoredUser,
  toStoredUser,
  toUserRecord,
  USER_COLUMNS,
  type UserRow,
} from "./user_row.ts";

export interface UserReads {
  userRecord(workspace: string, id: string): ReadPlan<UserRecord | undefined>;
  /** Returns the user without comparing it with its checksum; not to be shown. */
  storedUser(workspace: string, id: string): ReadPlan<StoredUser | undefined>;
  user(workspace: string, id: string): ReadPlan<User | undefined>;
  users(workspace: string, ids: readonly string[]): ReadPlan<User[]>;
  usersAfter(workspace: string, after: string | undefined, limit: number): ReadPlan<User[]>;
}

/** Declares the statements that read users. */
export function createUserReads({ dialect, query }: Source): UserReads {
  const one = query<UserRow>(
    `SELECT ${USER_COLUMNS} FROM users u WHERE u.workspace_id = $1 AND u.id = $2`,
  );
  const several = query<UserRow>(
    `SELECT ${USER_COLUMNS} ${dialect.listed("users u", "u.id", "$2")} AND u.workspace_id = $1`,
  );
  const page = query<UserRow>(
    `SELECT ${USER_COLUMNS} FROM users u
    WHERE u.workspace_id = $1 AND u.id > $2 AND u.erased_time IS NULL ORDER BY u.id LIMIT $3`,
  );
  const usersIn = (workspace: string) => (row: UserRow) => toUser(toUserRecord(workspace, row));
  return {
    userRecord: (workspace, id) =>
      one.first([workspace, id], (row) => toUserRecord(workspace, row)),
    storedUser: (workspace, id) => one.first([workspace, id], toStoredUser),
    user: (workspace, id) => one.first([workspace, id], usersIn(workspace)),
    users: (workspace, ids) => several.all([workspace, ids], usersIn(workspace)),
    usersAfter: (workspace, after, limit) =>
      page.all([workspace, after ?? "", limit], usersIn(workspace)),
  };
}

function toUser({ id, type, name, email, avatarUrl }: UserRecord): User {
  return { id, type, name, email, avatarUrl };
}
