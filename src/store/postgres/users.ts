/**
 * Users of a workspace.
 *
 * @module
 */
import { isTold, type ToldUser, type User } from "../../content/values/users.ts";
import type { Connection } from "./connection.ts";
import { isReadOnly } from "./failures.ts";
import { query, statement } from "./query.ts";

export interface UserTable {
  user(workspace: string, id: string): Promise<User | undefined>;
  users(workspace: string, ids: readonly string[]): Promise<User[]>;
  saveUser(workspace: string, told: ToldUser): Promise<void>;
}

type Row = readonly [
  id: string,
  type: User["type"],
  name: string | null,
  email: string | null,
  avatarUrl: string | null,
];

const COLUMNS = "u.id, u.type, u.name, u.email, u.avatar_url";

const one = query<Row>(
  `SELECT ${COLUMNS} FROM users u WHERE u.workspace_id = $1 AND u.id = $2`,
);
const several = query<Row>(
  `SELECT ${COLUMNS} FROM users u WHERE u.workspace_id = $1 AND u.id = ANY ($2::text[])`,
);
const save = statement(`
  INSERT INTO users AS u (workspace_id, id, type, name, email, avatar_url)
  VALUES ($1, $2, $3, nullif($4, ''), nullif($5, ''), nullif($6, ''))
  ON CONFLICT (workspace_id, id) DO UPDATE SET
    type = $3, name = nullif(coalesce($4, u.name), ''),
    email = nullif(coalesce($5, u.email), ''), avatar_url = nullif(coalesce($6, u.avatar_url), '')
`);

/** Reads and writes users. */
export function createUserTable({ session, transaction }: Connection): UserTable {
  const user: UserTable["user"] = async (workspace, id) => {
    const row = await one.get(session, workspace, id);
    return row && toUser(row);
  };
  return {
    user,
    users: async (workspace, ids) => (await several.all(session, workspace, ids)).map(toUser),
    async saveUser(workspace, told) {
      // Looked at first: even an upsert that changes nothing writes.
      if (isTold(await user(workspace, told.id), told)) return;
      const { id, type, name, email, avatarUrl } = told;
      try {
        await transaction((session) => save(session, workspace, id, type, name, email, avatarUrl));
      } catch (error) {
        // Who is not known yet may read a standby all the same; a write is refused for itself.
        if (!isReadOnly(error)) throw error;
      }
    },
  };
}

function toUser([id, type, name, email, avatarUrl]: Row): User {
  return { id, type, name, email, avatarUrl };
}
