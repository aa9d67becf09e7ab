/**
 * Writing API keys.
 *
 * @module
 */
import { INCREMENT_REVISION } from "../admin/api_key_revision.ts";
import type { ApiKeyStore } from "../port.ts";
import type { Connection } from "./connection.ts";
import { statement } from "./query.ts";

const add = statement(`
  INSERT INTO api_keys (workspace_id, id, name, scopes, created_time, expires_time)
  VALUES ($1, $2, $3, $4, $5, $6)
`);
const addSecret = statement(`
  INSERT INTO api_key_secrets (workspace_id, hash, key_workspace, key_id) VALUES ('', $1, $2, $3)
`);
const extend = statement(`
  UPDATE api_keys SET expires_time = $3
  WHERE workspace_id = $1 AND id = $2 AND revoked_time IS NULL
`);
const endSecrets = statement(`
  UPDATE api_key_secrets SET expires_time = least(expires_time, $3)
  WHERE workspace_id = '' AND key_workspace = $1 AND key_id = $2
`);
const removeEnded = statement(`
  DELETE FROM api_key_secrets
  WHERE workspace_id = '' AND key_workspace = $1 AND key_id = $2 AND expires_time <= $3
`);
const revoke = statement(`
  UPDATE api_keys SET revoked_time = $3
  WHERE workspace_id = $1 AND id = $2 AND revoked_time IS NULL
`);
const noteUses = statement(`
  UPDATE api_keys k SET used_time = u.time
  FROM json_to_recordset($1::text::json) AS u (workspace text, id text, time bigint)
  WHERE k.workspace_id = u.workspace AND k.id = u.id
    AND (k.used_time IS NULL OR k.used_time < u.time)
`);
const grow = statement(INCREMENT_REVISION);

type ApiKeyWriter = Pick<
  ApiKeyStore,
  "addApiKey" | "rotateApiKey" | "revokeApiKey" | "noteApiKeyUses"
>;

/** Changes API keys. */
export function createApiKeyWriter({ transaction }: Connection): ApiKeyWriter {
  return {
    addApiKey: (workspace, { id, name, scopes, createdTime, expiresTime }, hash) =>
      transaction(async (session) => {
        await add(session, workspace, id, name, scopes.join(" "), createdTime, expiresTime);
        await addSecret(session, hash, workspace, id);
        await grow(session);
      }),
    rotateApiKey: (workspace, id, { hash, now, graceEnd, expiresTime }) =>
      transaction(async (session) => {
        if (await extend(session, workspace, id, expiresTime) === 0) return false;
        await removeEnded(session, workspace, id, now);
        await endSecrets(session, workspace, id, graceEnd);
        await addSecret(session, hash, workspace, id);
        await grow(session);
        return true;
      }),
    revokeApiKey: (workspace, id, now) =>
      transaction(async (session) => {
        if (await revoke(session, workspace, id, now) === 0) return false;
        await grow(session);
        return true;
      }),
    noteApiKeyUses: (uses) =>
      transaction(async (session) => void await noteUses(session, JSON.stringify(uses))),
  };
}
