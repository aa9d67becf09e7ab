/**
 * Secrets of the whole service.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import type { Connection } from "./connection.ts";

const LENGTH = 32;

/** Prepares the statement that reads a secret that was made before. */
export function createSecretReader(
  db: DatabaseSync,
): (name: string) => Uint8Array<ArrayBuffer> | undefined {
  const find = db.prepare("SELECT value FROM secrets WHERE workspace_id = '' AND name = ?");
  return (name) => {
    const known = find.get(name);
    return known && toSecret(name, known.value);
  };
}

function toSecret(name: string, value: unknown): Uint8Array<ArrayBuffer> {
  if (!(value instanceof Uint8Array)) throw new Error(`Secret is damaged: ${name}`);
  return new Uint8Array(value);
}

/** Prepares the statements on secrets; the first to ask for one makes it. */
export function createSecretTable(
  { db, transaction }: Connection,
): (name: string) => Uint8Array<ArrayBuffer> {
  const find = createSecretReader(db);
  const make = db.prepare(
    "INSERT INTO secrets (workspace_id, name, value) VALUES ('', ?, ?) ON CONFLICT DO NOTHING",
  );
  return (name) => {
    // Looked at again once it is made: another process may have been first.
    const known = find(name) ?? transaction(() => {
      make.run(name, crypto.getRandomValues(new Uint8Array(LENGTH)));
      return find(name);
    });
    if (known === undefined) throw new Error(`Secret is not kept: ${name}`);
    return known;
  };
}
