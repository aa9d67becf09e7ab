/**
 * Erasing users: everything that says who they are.
 *
 * @module
 */
import { ERASED_NAME } from "../../content/values/users.ts";
import { INCREMENT_REVISION } from "./api_key_revision.ts";
import { createRecordSeals } from "../record_checksums.ts";
import type { ReadPlan, Source } from "../reads/query.ts";

export interface UserPlans {
  erase(workspace: string, id: string, time: number): ReadPlan<boolean>;
  allow(workspace: string, id: string): ReadPlan<boolean>;
  eraseReceipts(
    workspace: string,
    texts: readonly string[],
    page: { readonly after: string; readonly limit: number },
  ): ReadPlan<string | undefined>;
}

/** Declares the statements that erase users. */
export function createUserPlans(source: Source): UserPlans {
  const { dialect, query } = source;
  const { sealUser } = createRecordSeals(source);
  const erase = query<[string]>(
    `UPDATE users SET name = $4, email = NULL, avatar_url = NULL, pseudonym = NULL,
      erased_time = coalesce(erased_time, $3)
    WHERE workspace_id = $1 AND id = $2 RETURNING id`,
  );
  // An API key is a user, whose name it repeats.
  const renameKey = query<[string]>(
    "UPDATE api_keys SET name = $3 WHERE workspace_id = $1 AND id = $2 RETURNING id",
  );
  const grow = query<[]>(INCREMENT_REVISION);
  const allow = query<[string]>(
    `UPDATE users SET erased_time = NULL
    WHERE workspace_id = $1 AND id = $2 AND erased_time IS NOT NULL RETURNING id`,
  );
  const receipts = query<[key: string, body: string]>(
    `SELECT key, body FROM receipts WHERE workspace_id = $1 AND key > $2 ORDER BY key LIMIT $3`,
  );
  const remove = query<[]>(
    `DELETE FROM receipts WHERE workspace_id = $1 AND ${dialect.among("key", "$2")}`,
  );
  return {
    *erase(workspace, id, time) {
      if ((yield* renameKey.first([workspace, id, ERASED_NAME], () => true)) ?? false) {
        yield* grow.all([], () => undefined);
      }
      const isErased = yield* erase.first([workspace, id, time, ERASED_NAME], () => true);
      if (isErased) yield* sealUser(workspace, id);
      return isErased ?? false;
    },
    *allow(workspace, id) {
      return (yield* allow.first([workspace, id], () => true)) ?? false;
    },
    *eraseReceipts(workspace, texts, { after, limit }) {
      const found = yield* receipts.all([workspace, after, limit], (row) => row);
      const quoted = texts.map((text) => JSON.stringify(text).slice(1, -1));
      const keys = found.filter(([, body]) => quoted.some((text) => body.includes(text)))
        .map(([key]) => key);
      if (keys.length > 0) yield* remove.all([workspace, keys], () => undefined);
      return found.at(-1)?.[0];
    },
  };
}
