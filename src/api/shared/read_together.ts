/**
 * Statements that several requests share.
 *
 * @module
 */
import { setImmediate } from "node:timers";
import { listsOf } from "../../shared/portions.ts";
import { createRest } from "../../shared/yield_to_event_loop.ts";

/** Returns what exists under these IDs, and perhaps what exists under others. */
export type ReadMany<T> = (
  workspace: string,
  ids: readonly string[],
) => Promise<ReadonlyMap<string, T>>;

/** The IDs of one workspace that the next statement reads. */
interface Batch<T> {
  readonly ids: Set<string>;
  readonly found: PromiseWithResolvers<ReadonlyMap<string, T>>;
}

/**
 * Reads what is asked for in one turn of the event loop by one statement for each workspace, but for what
 * is asked first: whoever asks alone does not wait. Most of the time of a small statement goes to the
 * locks of SQLite or to the way to PostgreSQL.
 */
export function readTogether<T>(read: ReadMany<T>): ReadMany<T> {
  let batches = new Map<string, Batch<T>>();
  let isFirst = true;
  const endTurn = (): void => {
    const asked = batches;
    batches = new Map();
    isFirst = true;
    for (const [workspace, { ids, found }] of asked) {
      found.resolve(readPortions(read, workspace, [...ids]));
    }
  };
  return (workspace, ids) => {
    if (isFirst) {
      isFirst = false;
      setImmediate(endTurn);
      return read(workspace, ids);
    }
    const batch = batches.getOrInsertComputed(workspace, () => ({
      ids: new Set<string>(),
      found: Promise.withResolvers<ReadonlyMap<string, T>>(),
    }));
    for (const id of ids) batch.ids.add(id);
    return batch.found.promise;
  };
}

/** IDs that one statement reads. */
const PORTION = 1_000;

async function readPortions<T>(
  read: ReadMany<T>,
  workspace: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, T>> {
  if (ids.length <= PORTION) return await read(workspace, ids);
  const rest = createRest();
  const found = new Map<string, T>();
  for (const some of listsOf(ids, PORTION)) {
    for (const [id, one] of await read(workspace, some)) found.set(id, one);
    await rest();
  }
  return found;
}
