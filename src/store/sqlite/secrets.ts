/**
 * Secrets of the whole service.
 *
 * @module
 */
import type { Connection } from "./connection.ts";

const LENGTH = 32;

/** Prepares the statements on secrets. The first call for a name creates its secret. */
export function createSecretTable(
  { db, transaction }: Connection,
): (name: string) => Uint8Array<ArrayBuffer> {
  const make = db.prepare(
    "INSERT INTO secrets (workspace_id, name, value) VALUES ('', ?, ?) ON CONFLICT DO NOTHING",
  );
  const find = db.prepare("SELECT value FROM secrets WHERE workspace_id = '' AND name = ?");
  return (name) => {
    // Read again after the insert: another process may have been first.
    const secret = find.get(name) ?? transaction(() => {
      make.run(name, crypto.getRandomValues(new Uint8Array(LENGTH)));
      return find.get(name);
    });
    if (!(secret?.value instanceof Uint8Array)) throw new Error(`Secret is damaged: ${name}`);
    return new Uint8Array(secret.value);
  };
}
