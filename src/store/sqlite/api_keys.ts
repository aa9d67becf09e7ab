/**
 * Writing API keys.
 *
 * @module
 */
import { INCREMENT_REVISION } from "../admin/api_key_revision.ts";
import type { ApiKeyRotation, ApiKeyUse, NewApiKey } from "../port.ts";
import type { Connection } from "./connection.ts";

export interface ApiKeyWriter {
  addApiKey(workspace: string, key: NewApiKey, hash: string): void;
  rotateApiKey(workspace: string, id: string, rotation: ApiKeyRotation): boolean;
  revokeApiKey(workspace: string, id: string, now: number): boolean;
  noteApiKeyUses(uses: readonly ApiKeyUse[]): void;
}

/** Prepares the statements that change API keys. */
export function createApiKeyWriter({ db, transaction }: Connection): ApiKeyWriter {
  const add = db.prepare(`
    INSERT INTO api_keys (workspace_id, id, name, scopes, created_time, expires_time)
    VALUES (?, ?, ?, ?, ?, ?)
  `);
  const addSecret = db.prepare(`
    INSERT INTO api_key_secrets (workspace_id, hash, key_workspace, key_id) VALUES ('', ?, ?, ?)
  `);
  const extend = db.prepare(`
    UPDATE api_keys SET expires_time = ?3
    WHERE workspace_id = ?1 AND id = ?2 AND revoked_time IS NULL
  `);
  // Without statistics, SQLite would begin with the primary key, whose first column is constant.
  const endSecrets = db.prepare(`
    UPDATE api_key_secrets INDEXED BY api_key_secrets_of_key
    SET expires_time = CASE WHEN expires_time < ?3 THEN expires_time ELSE ?3 END
    WHERE workspace_id = '' AND key_workspace = ?1 AND key_id = ?2
  `);
  const removeEnded = db.prepare(`
    DELETE FROM api_key_secrets INDEXED BY api_key_secrets_of_key
    WHERE workspace_id = '' AND key_workspace = ?1 AND key_id = ?2 AND expires_time <= ?3
  `);
  const revoke = db.prepare(`
    UPDATE api_keys SET revoked_time = ?3
    WHERE workspace_id = ?1 AND id = ?2 AND revoked_time IS NULL
  `);
  const noteUse = db.prepare(`
    UPDATE api_keys SET used_time = ?3
    WHERE workspace_id = ?1 AND id = ?2 AND (used_time IS NULL OR used_time < ?3)
  `);
  const grow = db.prepare(INCREMENT_REVISION);
  return {
    addApiKey: (workspace, { id, name, scopes, createdTime, expiresTime }, hash) =>
      transaction(() => {
        add.run(workspace, id, name, scopes.join(" "), createdTime, expiresTime);
        addSecret.run(hash, workspace, id);
        grow.run();
      }),
    rotateApiKey: (workspace, id, { hash, now, graceEnd, expiresTime }) =>
      transaction(() => {
        if (extend.run(workspace, id, expiresTime).changes === 0) return false;
        removeEnded.run(workspace, id, now);
        endSecrets.run(workspace, id, graceEnd);
        addSecret.run(hash, workspace, id);
        grow.run();
        return true;
      }),
    revokeApiKey: (workspace, id, now) =>
      transaction(() => {
        if (revoke.run(workspace, id, now).changes === 0) return false;
        grow.run();
        return true;
      }),
    noteApiKeyUses: (uses) =>
      transaction(() =>
        uses.forEach(({ workspace, id, time }) => noteUse.run(workspace, id, time))
      ),
  };
}
