/**
 * SQLite files that live as long as one test.
 *
 * @module
 */
import { DatabaseSync } from "node:sqlite";
import type { Store } from "../../../src/store/port.ts";
import { assertEquals } from "../../assert.ts";
import { eventually } from "../../support/eventually.ts";
import { openSqliteStore, type SqliteOptions } from "../../../src/store/sqlite/store.ts";

/** Runs work with the path of a database that is not there yet, in a folder of its own. */
export async function withFile(work: (path: string) => Promise<void> | void): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "recto-store-" });
  try {
    await work(`${folder}/recto.db`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Runs SQL on a file from outside the store, as another process would. */
export function runOn(path: string, sql: string): void {
  const db = new DatabaseSync(path);
  try {
    db.exec(sql);
  } finally {
    db.close();
  }
}

/** All rows that SQL finds in a file, from outside the store. */
export function rowsOf(path: string, sql: string): Record<string, unknown>[] {
  const db = new DatabaseSync(path);
  try {
    return db.prepare(sql).all();
  } finally {
    db.close();
  }
}

/** Opens the store of a file, and resolves once it has finished what was interrupted there. */
export async function openFinished(path: string, options?: SqliteOptions): Promise<Store> {
  const store = openSqliteStore(path, options);
  await eventually(() => {
    assertEquals(rowsOf(path, "SELECT workspace_id FROM sliced_positions"), []);
    return Promise.resolve();
  });
  return store;
}

/** Opens a store in a file of its own, which goes with it. All writes are made in the other thread. */
export async function openInThread(options: SqliteOptions = {}): Promise<Store> {
  const folder = await Deno.makeTempDir({ prefix: "recto-store-" });
  const store = openSqliteStore(`${folder}/recto.db`, { ...options, isLong: () => true });
  return {
    ...store,
    close: async () => {
      await store.close();
      await Deno.remove(folder, { recursive: true });
    },
  };
}
