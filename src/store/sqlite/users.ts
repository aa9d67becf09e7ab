/**
 * Users of a workspace.
 *
 * @module
 */
import type { User } from "../../content/users.ts";
import type { Connection } from "./connection.ts";

export interface UserTable {
  user(workspace: string, id: string): User | undefined;
  users(workspace: string, ids: readonly string[]): User[];
  saveUser(workspace: string, user: User): void;
}

/** Prepares the statements on users. */
export function createUserTable({ db, transaction }: Connection): UserTable {
  const columns = "u.id, u.type, u.name, u.email, u.avatar_url AS avatarUrl";
  const one = db.prepare(
    `SELECT ${columns} FROM users u WHERE u.workspace_id = ? AND u.id = ?`,
  );
  const several = db.prepare(`
    SELECT ${columns} FROM json_each(?2) wanted
    CROSS JOIN users u ON u.workspace_id = ?1 AND u.id = wanted.value
  `);
  const save = db.prepare(`
    INSERT INTO users (workspace_id, id, type, name, email, avatar_url) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (workspace_id, id) DO UPDATE SET
      type = excluded.type, name = excluded.name,
      email = excluded.email, avatar_url = excluded.avatar_url
  `);
  const user: UserTable["user"] = (workspace, id) => toUser(one.get(workspace, id));
  return {
    user,
    users: (workspace, ids) =>
      several.all(workspace, JSON.stringify(ids)).flatMap((row) => toUser(row) ?? []),
    saveUser(workspace, fresh) {
      // Looked at first: even an upsert that changes nothing takes the write lock.
      if (isSame(user(workspace, fresh.id), fresh)) return;
      const { id, type, name, email, avatarUrl } = fresh;
      transaction(() => save.run(workspace, id, type, name, email, avatarUrl));
    },
  };
}

function toUser(row: Record<string, unknown> | undefined): User | undefined {
  // Sound because the columns are those of a User, from a STRICT table.
  return row as unknown as User | undefined;
}

function isSame(known: User | undefined, fresh: User): boolean {
  return known !== undefined && known.type === fresh.type && known.name === fresh.name &&
    known.email === fresh.email && known.avatarUrl === fresh.avatarUrl;
}
