/**
 * Secrets of the whole service.
 *
 * @module
 */
import type { Connection } from "./connection.ts";
import { query, statement } from "./query.ts";

const LENGTH = 32;

const make = statement(
  "INSERT INTO secrets (workspace_id, name, value) VALUES ('', $1, $2) ON CONFLICT DO NOTHING",
);
const find = query<[Uint8Array]>(
  "SELECT value FROM secrets WHERE workspace_id = '' AND name = $1",
);

/** Reads secrets. The first call for a name creates its secret. */
export function createSecretTable(
  { session, transaction }: Connection,
): (name: string) => Promise<Uint8Array<ArrayBuffer>> {
  return async (name) => {
    // Read again after the insert: another process may have been first.
    const secret = await find.get(session, name) ?? await transaction(async (session) => {
      await make(session, name, crypto.getRandomValues(new Uint8Array(LENGTH)));
      return await find.get(session, name);
    });
    if (secret === undefined) throw new Error(`Secret is missing: ${name}`);
    return new Uint8Array(secret[0]);
  };
}
