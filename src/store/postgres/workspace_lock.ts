/**
 * The turns that writers of a workspace take.
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
 * INVARIANT: what a transaction does behind it waits for no row that another one holds which does so
 * too, so none of them is ever in a deadlock.
 */
export async function lockWorkspace(session: Session, workspace: string): Promise<void> {
  await Promise.all([enter(session, workspace), wait(session, workspace)]);
}
