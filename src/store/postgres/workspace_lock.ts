/**
 * The lock that serializes the writers of a workspace.
 *
 * @module
 */
import { type Session, statement } from "./query.ts";

const enter = statement(
  "INSERT INTO workspaces (workspace_id) VALUES ($1) ON CONFLICT DO NOTHING",
);
const wait = statement("SELECT FROM workspaces WHERE workspace_id = $1 FOR UPDATE");

/**
 * Waits until no other transaction writes this workspace's content or its queue.
 *
 * INVARIANT: while a transaction holds this lock, it never waits for a row of another transaction that
 * takes the lock, so they cannot deadlock.
 */
export async function lockWorkspace(session: Session, workspace: string): Promise<void> {
  await Promise.all([enter(session, workspace), wait(session, workspace)]);
}
