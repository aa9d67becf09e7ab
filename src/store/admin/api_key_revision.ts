/**
 * The revision of API keys, by which every process notices changes.
 *
 * @module
 */

/** Increments the revision; a statement that changes API keys runs in the same transaction. */
export const INCREMENT_REVISION = `
  INSERT INTO api_key_revision AS r (workspace_id, revision) VALUES ('', 1)
  ON CONFLICT (workspace_id) DO UPDATE SET revision = r.revision + 1
`;
