/**
 * Users of a workspace.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import type { User } from "../../content/users.ts";

export interface UserTable {
  user(workspace: string, id: string): User | undefined;
  users(workspace: string, ids: readonly string[]): User[];
  saveUser(workspace: string, user: User): void;
}

/** Prepares the statements on users. */
export function createUserTable(connection: DatabaseSync): UserTable {
  const columns = "u.id, u.type, u.name, u.email, u.avatar_url AS avatarUrl";
  const one = connection.prepare(
    `SELECT ${columns} FROM users u WHERE u.workspace_id = ? AND u.id = ?`,
  );
  const several = connection.prepare(`
    SELECT ${columns} FROM json_each(?2) wanted
    JOIN users u ON u.workspace_id = ?1 AND u.id = wanted.value
  `);
  const save = connection.prepare(`
    INSERT INTO users (workspace_id, id, type, name, email, avatar_url) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (workspace_id, id) DO UPDATE SET
      type = excluded.type, name = excluded.name,
      email = excluded.email, avatar_url = excluded.avatar_url
    WHERE (users.type, users.name, users.email, users.avatar_url)
      IS NOT (excluded.type, excluded.name, excluded.email, excluded.avatar_url)
  `);
  return {
    user: (workspace, id) => toUser(one.get(workspace, id)),
    users: (workspace, ids) =>
      several.all(workspace, JSON.stringify(ids)).flatMap((row) => toUser(row) ?? []),
    saveUser: (workspace, { id, type, name, email, avatarUrl }) => {
      save.run(workspace, id, type, name, email, avatarUrl);
    },
  };
}

function toUser(row: Record<string, unknown> | undefined): User | undefined {
  // Sound because the columns are those of a User, from a STRICT table.
  return row as unknown as User | undefined;
}
