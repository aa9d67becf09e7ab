/**
 * Caches of what was read from a database. Each is emptied when anything in the database changes,
 * so that nothing in it is ever out of date.
 *
 * @module
 */
import { LRUCache } from "lru-cache";
import type { Connection } from "./connection.ts";
import { type Query, query } from "./query.ts";

export interface ReadCacheOptions<Key, Value> {
  /** Maximum sum of the sizes of all values. */
  readonly maxSize: number;
  sizeOf(value: Value, key: Key): number;
}

/** Returns the cached values if the database is still as it was when they were read; else none. */
export type ReadCache<Key extends string | number, Value extends object> = () => LRUCache<
  Key,
  Value
>;

/** Creates an empty cache. Call it in the transaction that reads what is missing. */
export function createReadCache<Key extends string | number, Value extends object>(
  { db, defer }: Pick<Connection, "db" | "defer">,
  { maxSize, sizeOf }: ReadCacheOptions<Key, Value>,
): ReadCache<Key, Value> {
  const others: Query<[version: number]> = query(db, "PRAGMA data_version");
  const own: Query<[changes: number]> = query(db, "SELECT total_changes()");
  const values = new LRUCache<Key, Value>({ maxSize, sizeCalculation: sizeOf });
  let version: number | undefined;
  let changes: number | undefined;
  // Writes of a transaction could be read before they were undone, which counts as no change.
  defer({ beforeCommit: () => {}, discard: () => values.clear() });
  return () => {
    const [otherVersion] = others.get() ?? [];
    const [ownChanges] = own.get() ?? [];
    if (version !== otherVersion || changes !== ownChanges) values.clear();
    version = otherVersion;
    changes = ownChanges;
    return values;
  };
}
