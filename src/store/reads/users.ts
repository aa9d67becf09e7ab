/**
 * Reading the users of a workspace.
 *
 * @module
 */
import type { User, UserRecord } from "../../content/values/users.ts";
import type { ReadPlan, Source } from "./query.ts";

const COLUMNS = "u.id, u.type, u.name, u.email, u.avatar_url";

/** COLUMNS, one for one. */
type Row = readonly [
  id: string,
  type: User["type"],
  name: string | null,
  email: string | null,
  avatarUrl: string | null,
];

/** A user with its pseudonym and the time of its erasure. */
const RECORD = `${COLUMNS}, u.pseudonym, u.erased_time`;

/** RECORD, one for one. */
type RecordRow = readonly [...Row, pseudonym: string | null, erasedTime: number | null];

export interface UserReads {
  userRecord(workspace: string, id: string): ReadPlan<UserRecord | undefined>;
  user(workspace: string, id: string): ReadPlan<User | undefined>;
  users(workspace: string, ids: readonly string[]): ReadPlan<User[]>;
  usersAfter(workspace: string, after: string | undefined, limit: number): ReadPlan<User[]>;
}

/** Declares the statements that read users. */
export function createUserReads({ dialect, query }: Source): UserReads {
  const one = query<Row>(
    `SELECT ${COLUMNS} FROM users u WHERE u.workspace_id = $1 AND u.id = $2`,
  );
  const record = query<RecordRow>(
    `SELECT ${RECORD} FROM users u WHERE u.workspace_id = $1 AND u.id = $2`,
  );
  const several = query<Row>(
    `SELECT ${COLUMNS} ${dialect.listed("users u", "u.id", "$2")} AND u.workspace_id = $1`,
  );
  const page = query<Row>(
    `SELECT ${COLUMNS} FROM users u
    WHERE u.workspace_id = $1 AND u.id > $2 AND u.erased_time IS NULL ORDER BY u.id LIMIT $3`,
  );
  return {
    userRecord: (workspace, id) =>
      record.first(
        [workspace, id],
        ([id, type, name, email, avatarUrl, pseudonym, erasedTime]) => ({
          id,
          type,
          name,
          email,
          avatarUrl,
          pseudonym,
          erasedTime,
        }),
      ),
    user: (workspace, id) => one.first([workspace, id], toUser),
    users: (workspace, ids) => several.all([workspace, ids], toUser),
    usersAfter: (workspace, after, limit) => page.all([workspace, after ?? "", limit], toUser),
  };
}

function toUser([id, type, name, email, avatarUrl]: Row): User {
  return { id, type, name, email, avatarUrl };
}
