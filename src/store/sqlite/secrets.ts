/**
 * Secrets of the whole service.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";

const LENGTH = 32;

/** Prepares the statements on secrets; the first to ask for one makes it. */
export function createSecretTable(
  connection: DatabaseSync,
): (name: string) => Uint8Array<ArrayBuffer> {
  const make = connection.prepare(
    "INSERT INTO secrets (workspace_id, name, value) VALUES ('', ?, ?) ON CONFLICT DO NOTHING",
  );
  const find = connection.prepare("SELECT value FROM secrets WHERE workspace_id = '' AND name = ?");
  return (name) => {
    const known = find.get(name) ??
      (make.run(name, crypto.getRandomValues(new Uint8Array(LENGTH))), find.get(name));
    if (!(known?.value instanceof Uint8Array)) throw new Error(`Secret is damaged: ${name}`);
    return new Uint8Array(known.value);
  };
}
