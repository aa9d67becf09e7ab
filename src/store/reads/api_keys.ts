/**
 * Reading API keys.
 *
 * @module
 */
import type { ApiKey, FoundApiKey } from "../port.ts";
import type { ReadPlan, Source } from "./query.ts";

const COLUMNS = "k.workspace_id, k.id, k.name, k.scopes, k.created_time, k.expires_time, " +
  "k.revoked_time, k.used_time";

/** COLUMNS, one for one. */
type Row = readonly [
  workspace: string,
  id: string,
  name: string,
  scopes: string,
  createdTime: number,
  expiresTime: number | null,
  revokedTime: number | null,
  usedTime: number | null,
];

export interface ApiKeyReads {
  apiKey(hash: string): ReadPlan<FoundApiKey | undefined>;
  apiKeys(): ReadPlan<ApiKey[]>;
  apiKeyRevision(): ReadPlan<number>;
}

/** Declares the statements that read API keys. */
export function createApiKeyReads({ query }: Source): ApiKeyReads {
  const one = query<readonly [...Row, number | null]>(
    `SELECT ${COLUMNS}, s.expires_time FROM api_key_secrets s
    JOIN api_keys k ON k.workspace_id = s.key_workspace AND k.id = s.key_id
    WHERE s.workspace_id = '' AND s.hash = $1`,
  );
  const all = query<Row>(`SELECT ${COLUMNS} FROM api_keys k ORDER BY k.workspace_id, k.id`);
  const revision = query<readonly [number]>(
    "SELECT revision FROM api_key_revision WHERE workspace_id = ''",
  );
  return {
    apiKey: (hash) => one.first([hash], toFoundKey),
    apiKeys: () => all.all([], toKey),
    *apiKeyRevision() {
      return (yield* revision.first([], ([number]) => number)) ?? 0;
    },
  };
}

function toFoundKey(columns: readonly [...Row, number | null]): FoundApiKey {
  const [workspace, id, name, scopes, created, expires, revoked, used, secretExpiresTime] = columns;
  const key = toKey([workspace, id, name, scopes, created, expires, revoked, used]);
  return { ...key, secretExpiresTime };
}

function toKey(row: Row): ApiKey {
  const [workspace, id, name, scopes, createdTime, expiresTime, revokedTime, usedTime] = row;
  const times = { createdTime, expiresTime, revokedTime, usedTime };
  return { id, workspace, name, scopes: scopes.split(" "), ...times };
}
