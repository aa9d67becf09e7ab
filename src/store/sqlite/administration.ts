/**
 * The changes of an operator in a SQLite file, a slice at a time.
 *
 * @module
 */
import type { Administration } from "../port.ts";
import { createPurgePlans, type RemoveWords } from "../admin/purge.ts";
import { createSealing } from "../admin/text_blocks.ts";
import { createUserPlans } from "../admin/users.ts";
import { createWorkspacePlans } from "../admin/workspaces.ts";
import type { ReadPlan, Source } from "../reads/query.ts";
import type { WritingMethod } from "../writing.ts";
import type { Connection } from "./connection.ts";
import { query } from "./query.ts";
import { createReader } from "./reader.ts";
import { createReanalysis } from "./search/reanalysis.ts";
import { createSegmentMerges } from "./search/segments.ts";

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
    more: [
      ["search_models", "number"],
      ["sliced_commits", "workspace_id"],
      ["sliced_positions", "workspace_id"],
    ],
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
    reanalyseSlice: createSlice(connection),
    sealTexts: inTransaction(createSealing(source)),
    mergeWords: createSegmentMerges(connection).mergeRemoved,
    reclaimSpace: createReclaim(connection),
  };
}

function createWordRemover({ query }: Source): RemoveWords {
  const remove = query<[]>("DELETE FROM search_words WHERE rowid = $1");
  return function* (nos) {
    // FTS5 writes out what it holds whenever a number is lower than the last.
    yield nos.toSorted((a, b) => a - b).map((no) => remove.question([no]));
  };
}

function createSlice({ db, transaction }: Connection): Writes["reanalyseSlice"] {
  const slice = createReanalysis(db);
  return () => transaction(slice);
}

function createReclaim({ db, transaction }: Connection): Writes["reclaimSpace"] {
  const free = query<[number]>(db, "PRAGMA freelist_count");
  const mode = query<[number]>(db, "PRAGMA auto_vacuum");
  const countFree = () => free.get()?.[0] ?? 0;
  return (limit) => {
    if (mode.get()?.[0] !== INCREMENTAL) return false;
    const before = countFree();
    // Prepared for each call, because a statement of a pragma keeps its number.
    transaction(() => db.prepare(`PRAGMA incremental_vacuum(${limit})`).all());
    const left = countFree();
    return left > 0 && left < before;
  };
}

const INCREMENTAL = 2;
