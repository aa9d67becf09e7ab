/**
 * Users of a workspace.
 *
 * @module
 */
import { isTold, type ToldUser, type User } from "../../content/values/users.ts";
import type { Connection } from "./connection.ts";

export interface UserTable {
  user(workspace: string, id: string): User | undefined;
  users(workspace: string, ids: readonly string[]): User[];
  saveUser(workspace: string, told: ToldUser): void;
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
    INSERT INTO users (workspace_id, id, type, name, email, avatar_url)
    VALUES (?1, ?2, ?3, nullif(?4, ''), nullif(?5, ''), nullif(?6, ''))
    ON CONFLICT (workspace_id, id) DO UPDATE SET
      type = ?3, name = nullif(coalesce(?4, name), ''),
      email = nullif(coalesce(?5, email), ''), avatar_url = nullif(coalesce(?6, avatar_url), '')
  `);
  const user: UserTable["user"] = (workspace, id) => toUser(one.get(workspace, id));
  return {
    user,
    users: (workspace, ids) =>
      several.all(workspace, JSON.stringify(ids)).flatMap((row) => toUser(row) ?? []),
    saveUser(workspace, told) {
      // Looked at first: even an upsert that changes nothing takes the write lock.
      if (isTold(user(workspace, told.id), told)) return;
      const { id, type, name, email, avatarUrl } = told;
      transaction(() => save.run(workspace, id, type, name, email, avatarUrl));
    },
  };
}

function toUser(row: Record<string, unknown> | undefined): User | undefined {
  // Sound because the columns are those of a User, from a STRICT table.
  return row as unknown as User | undefined;
}
