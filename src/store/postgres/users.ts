/**
 * Users of a workspace.
 *
 * @module
 */
import type { User } from "../../content/users.ts";
import type { Connection } from "./connection.ts";
import { query, statement } from "./query.ts";

export interface UserTable {
  user(workspace: string, id: string): Promise<User | undefined>;
  users(workspace: string, ids: readonly string[]): Promise<User[]>;
  saveUser(workspace: string, user: User): Promise<void>;
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
  INSERT INTO users (workspace_id, id, type, name, email, avatar_url) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (workspace_id, id) DO UPDATE SET
    type = excluded.type, name = excluded.name,
    email = excluded.email, avatar_url = excluded.avatar_url
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
    async saveUser(workspace, fresh) {
      // Looked at first: even an upsert that changes nothing writes.
      if (isSame(await user(workspace, fresh.id), fresh)) return;
      const { id, type, name, email, avatarUrl } = fresh;
      await transaction((session) => save(session, workspace, id, type, name, email, avatarUrl));
    },
  };
}

function toUser([id, type, name, email, avatarUrl]: Row): User {
  return { id, type, name, email, avatarUrl };
}

function isSame(known: User | undefined, fresh: User): boolean {
  return known !== undefined && known.type === fresh.type && known.name === fresh.name &&
    known.email === fresh.email && known.avatarUrl === fresh.avatarUrl;
}
