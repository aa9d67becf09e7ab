/**
 * What an operator changes in a SQLite file, a slice at a time.
 *
 * @module
 */
import type { Administration } from "../port.ts";
import { createPurgePlans, type RemoveWords } from "../admin/purge.ts";
import { createUserPlans } from "../admin/users.ts";
import { createWorkspacePlans } from "../admin/workspaces.ts";
import type { ReadPlan, Source } from "../reads/query.ts";
import type { WritingMethod } from "../writing.ts";
import type { Connection } from "./connection.ts";
import { query } from "./query.ts";
import { createReader } from "./reader.ts";

type Name = Extract<keyof Administration, WritingMethod>;

/** The methods that write, at once. */
type Writes = {
  readonly [M in Name]: (
    ...args: Parameters<Administration[M]>
  ) => Awaited<ReturnType<Administration[M]>>;
};

/** Prepares the statements of administration. */
export function createAdministration(connection: Connection): Writes {
  const { db, transaction } = connection;
  const { source, run } = createReader(db);
  const removeWords = createWordRemover(source);
  const users = createUserPlans(source);
  const purge = createPurgePlans(source, removeWords);
  const workspaces = createWorkspacePlans(source, {
    removeWords,
    more: [["search_models", "number"]],
  });
  const inTransaction =
    <Args extends unknown[], T>(plan: (...args: Args) => ReadPlan<T>) => (...args: Args): T =>
      transaction(() => run(plan(...args)));
  return {
    eraseUser: inTransaction(users.erase),
    allowUser: inTransaction(users.allow),
    eraseReceipts: inTransaction(users.eraseReceipts),
    deleteWorkspaceSlice: inTransaction(workspaces.deleteSlice),
    beginPurge: inTransaction(purge.begin),
    purgeSlice: inTransaction(purge.slice),
    expireReceipts: inTransaction(workspaces.expireReceipts),
    reclaimSpace: createReclaim(connection),
  };
}

function createWordRemover({ query }: Source): RemoveWords {
  const remove = query<[]>("DELETE FROM search_words WHERE rowid = $1");
  return function* (nos) {
    yield nos.map((no) => remove.question([no]));
  };
}

/** Pages of the index of words that a slice merges: some milliseconds. */
const MERGED = 64;
/** FTS5 says so: below two changes it found nothing to merge. */
const MERGING = 2;

function createReclaim({ db, transaction }: Connection): Writes["reclaimSpace"] {
  const merge = db.prepare("INSERT INTO search_words (search_words, rank) VALUES ('merge', ?)");
  const changes = query<[number]>(db, "SELECT total_changes()");
  const free = query<[number]>(db, "PRAGMA freelist_count");
  const mode = query<[number]>(db, "PRAGMA auto_vacuum");
  const countChanges = () => changes.get()?.[0] ?? 0;
  const countFree = () => free.get()?.[0] ?? 0;
  return (limit) => {
    const before = countChanges();
    transaction(() => merge.run(MERGED));
    const isMerging = countChanges() - before >= MERGING;
    if (mode.get()?.[0] !== INCREMENTAL) return isMerging;
    const freeBefore = countFree();
    // Prepared for each call, because a statement of a pragma keeps its number.
    transaction(() => db.prepare(`PRAGMA incremental_vacuum(${limit})`).all());
    const left = countFree();
    return isMerging || (left > 0 && left < freeBefore);
  };
}

const INCREMENTAL = 2;
