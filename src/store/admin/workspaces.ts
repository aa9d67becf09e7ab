/**
 * Deleting a whole workspace, slice by slice, and receipts that have expired.
 *
 * @module
 */
import { INCREMENT_REVISION } from "./api_key_revision.ts";
import type { ReadPlan, Source } from "../reads/query.ts";
import type { RemoveWords } from "./purge.ts";

export interface WorkspacePlans {
  deleteSlice(workspace: string, limit: number): ReadPlan<number>;
  expireReceipts(workspace: string, now: number, limit: number): ReadPlan<number>;
}

/** Tables with rows of a workspace, and what tells these apart; in the order in which they are emptied. */
const TABLES: readonly (readonly [table: string, ...key: string[]])[] = [
  ["upload_uses", "node_id", "upload_id"],
  ["comments", "id"],
  ["links", "relation_id", "from_id", "to_id"],
  ["link_counts", "relation_id", "side", "count", "row_id"],
  ["cells", "node_id", "property_id", "ordinal"],
  ["text_blocks", "database_id", "property_id", "last_time", "last_id"],
  ["counters", "database_id"],
  ["nodes", "id"],
  ["purges", "node_id"],
  ["search_vectors", "space", "page_id"],
  ["search_due", "page_id"],
  ["search_filling", "page_id"],
  ["search_spaces", "number"],
  ["receipts", "key"],
  ["users", "id"],
];

/** Declares the statements; `more` are tables of one database alone. */
export function createWorkspacePlans(
  source: Source,
  { removeWords, more }: { readonly removeWords: RemoveWords; readonly more: typeof TABLES },
): WorkspacePlans {
  const { query } = source;
  const deleteKeys = createKeyRemover(source);
  const slices = [...TABLES, ...more].map(([table, ...key]) => {
    const columns = key.join(", ");
    return query<[number]>(
      `DELETE FROM ${table} WHERE workspace_id = $1 AND (${columns}) IN (
        SELECT ${columns} FROM ${table} WHERE workspace_id = $1 LIMIT $2
      ) RETURNING 1`,
    );
  });
  const parts = query<[no: number]>(
    `DELETE FROM search_parts WHERE workspace_id = $1 AND no IN (
      SELECT p.no FROM search_parts p WHERE p.workspace_id = $1 LIMIT $2
    ) RETURNING no`,
  );
  const counts = query<[]>("DELETE FROM search_workspaces WHERE workspace_id = $1");
  const leave = query<[]>(
    `INSERT INTO leftovers (workspace_id, upload_id, blob)
    SELECT workspace_id, id, coalesce(blob, '') FROM uploads
    WHERE workspace_id = $1 ORDER BY id LIMIT $2 ON CONFLICT DO NOTHING`,
  );
  const uploads = query<[string]>(
    `DELETE FROM uploads WHERE workspace_id = $1 AND id IN (
      SELECT id FROM uploads WHERE workspace_id = $1 ORDER BY id LIMIT $2
    ) RETURNING id`,
  );
  const expired = query<[number]>(
    `DELETE FROM receipts WHERE workspace_id = $1 AND key IN (
      SELECT key FROM receipts WHERE workspace_id = $1 AND expires_time <= $2
      ORDER BY expires_time LIMIT $3
    ) RETURNING 1`,
  );
  return {
    *deleteSlice(workspace, limit) {
      // First, so that nobody fills the workspace again with one of its keys.
      const keys = yield* deleteKeys(workspace, limit);
      if (keys > 0) return keys;
      // One table after the other, so that a slice deletes no more than its limit.
      for (const slice of slices) {
        const deleted = yield* slice.all([workspace, limit], () => undefined);
        if (deleted.length > 0) return deleted.length;
      }
      const nos = yield* parts.all([workspace, limit], ([no]) => no);
      yield* removeWords(nos);
      if (nos.length > 0) return nos.length;
      // Last, because it says which words are the workspace's.
      yield* counts.all([workspace], () => undefined);
      yield* leave.all([workspace, limit], () => undefined);
      return (yield* uploads.all([workspace, limit], () => undefined)).length;
    },
    *expireReceipts(workspace, now, limit) {
      return (yield* expired.all([workspace, now, limit], () => undefined)).length;
    },
  };
}

/** Deletes API keys with their secrets, and makes every process notice. */
function createKeyRemover(
  { dialect, query }: Source,
): (workspace: string, limit: number) => ReadPlan<number> {
  const keys = query<[string]>(
    `DELETE FROM api_keys WHERE workspace_id = $1 AND id IN (
      SELECT id FROM api_keys WHERE workspace_id = $1 LIMIT $2
    ) RETURNING id`,
  );
  const secrets = query<[]>(
    `DELETE FROM ${dialect.indexed("api_key_secrets", "api_key_secrets_of_key")}
    WHERE workspace_id = '' AND key_workspace = $1 AND ${dialect.among("key_id", "$2")}`,
  );
  const grow = query<[]>(INCREMENT_REVISION);
  return function* (workspace, limit) {
    const ids = yield* keys.all([workspace, limit], ([id]) => id);
    if (ids.length === 0) return 0;
    yield* secrets.all([workspace, ids], () => undefined);
    yield* grow.all([], () => undefined);
    return ids.length;
  };
}
