/**
 * The store on SQLite.
 *
 * @module
 */
import { isUpToDate } from "../../content/values/users.ts";
import { readDurably, type VisibleState } from "../../shared/durable.ts";
import type { OpenOptions, ReaderStore } from "../database.ts";
import type { Store } from "../port.ts";
import { createLinkReader } from "../reads/links.ts";
import type { ReadPlan } from "../reads/query.ts";
import { createReads, toMethods } from "../reads/reads.ts";
import { createStoreMetrics, measured, type StoreMetrics } from "../store_metrics.ts";
import { type Reading, toWriting, type WriteRequest } from "../writing.ts";
import { createCommitGroup, type GroupLimits } from "./commit_group.ts";
import {
  type Connection,
  type Deferred,
  leaveLog,
  logSize,
  openConnection,
  openReadingConnection,
  startServing,
} from "./connection.ts";
import { createContentReader } from "./content_reader.ts";
import { mapDatabaseErrors } from "./failures.ts";
import { migrate } from "./migrations.ts";
import { createReader } from "./reader.ts";
import { createRowReader } from "./rows.ts";
import { type FillOptions, fillSearch } from "./search/fill.ts";
import { createWordFinder } from "./search/finder.ts";
import { createOutdatedCheck } from "./search/reanalysis.ts";
import { createSpaceTable } from "./search/spaces.ts";
import { createWordCounter } from "./search/statistics.ts";
import { createVocabulary } from "./search/vocabulary.ts";
import { createVectorTable } from "./search/vectors.ts";
import { type SliceOptions, unfinishedIn } from "./sliced_commits.ts";
import type { Release } from "./sliced_writes.ts";
import { createSnapshots, type Snapshots, type TrackedReading } from "./snapshots.ts";
import { startSteps } from "./steps.ts";
import { createWriter, type WriterOptions, type WriterParts } from "./writer.ts";
import { createLengthEstimator } from "./write_length.ts";
import { createWriterWorker } from "./writer_thread.ts";
import { createWriting } from "./writing.ts";

export interface SqliteOptions extends FillOptions, WriterOptions {
  /** Replaces the decision which writes run in the other thread. */
  readonly isLong?: WriterParts["isLong"];
  /** Keeps what the readers of a workspace see in other processes as it is. */
  readonly holdElsewhere?: OpenOptions["holdElsewhere"];
  readonly sharesFile?: OpenOptions["sharesFile"];
  /** Replaces when a commit is made in slices, and how long each takes. */
  readonly slices?: SliceOptions;
  /** Work at the end of each transaction of this thread; what it throws fails the transaction. */
  readonly deferred?: Deferred;
  /** Replaces how large a shared transaction becomes. */
  readonly limits?: GroupLimits;
}

// The getter of the global runs each time that it is named.
const { performance } = globalThis;

/**
 * Opens the store in a file, which is created if missing, or in memory for `:memory:`. Throws if the
 * file cannot be used or is newer than this release.
 *
 * Reads and short writes run in this thread. Writes that may take long run in another thread, so that
 * readers see the last commit until they are done. A database in memory has one connection, here.
 */
export function openSqliteStore(path: string, options: SqliteOptions = {}): Store {
  const connection = openConnection(path);
  try {
    migrate(connection);
    fillSearch(connection, options);
    startServing(connection);
    if (path === ":memory:") return createSqliteStore(connection, options.metrics);
    return join(connection, path, options);
  } catch (error) {
    connection.close();
    throw error;
  }
}

/**
 * Opens the store of a process that only reads a file whose schema is up to date; `write` makes its
 * writes in another process.
 */
export function openSqliteReader(
  path: string,
  write: (request: WriteRequest) => Promise<unknown>,
  { metrics }: Pick<SqliteOptions, "metrics"> = {},
): ReaderStore {
  const connection = openReadingConnection(path);
  const snapshots = snapshotsOf(path, connection, metrics);
  const { reading } = snapshots;
  const store: Store = {
    ...reading,
    ...toWriting(write),
    saveUser: async (workspace, claims) => {
      const stored = await reading.storedUser(workspace, claims.id);
      if (isUpToDate(stored?.user, claims)) return;
      await write({ method: "saveUser", args: [workspace, claims] });
    },
    close: async () => {
      await snapshots.close();
      connection.db.close();
    },
  };
  return { store, holds: snapshots };
}

/** The reads of a file, as readers of each workspace are to see it. */
function snapshotsOf(path: string, connection: Connection, metrics?: StoreMetrics): Snapshots {
  return createSnapshots({
    current: createReading(connection, metrics),
    open: () => openReadingConnection(path),
    read: (other) => createReading(other, metrics),
  });
}

/** The store on an open connection whose schema is up to date, all in this thread. */
export function createSqliteStore(connection: Connection, metrics?: StoreMetrics): Store {
  const { reading } = createReading(connection, metrics);
  const writing = toWriting(toAsync(createWriting(connection)));
  return { ...reading, ...writing, close: toAsync(connection.close) };
}

/** Reads in this thread, and writes in whichever thread keeps readers from waiting. */
function join(connection: Connection, path: string, options: SqliteOptions): Store {
  leaveLog(connection);
  const snapshots = snapshotsOf(path, connection, options.metrics);
  const { reading } = snapshots;
  const write = createWriting(connection);
  const isLong = options.isLong ?? createLengthEstimator(connection.db);
  if (options.deferred !== undefined) connection.defer(options.deferred);
  const { limits } = options;
  const createGroup: WriterParts["createGroup"] = (parts) =>
    createCommitGroup(connection, { ...parts, ...(limits !== undefined && { limits }) });
  const parts: WriterParts = {
    thread: createWriterWorker(path, { slices: slicesOf(options) }),
    write,
    isLong,
    createGroup,
    ...createHolds(snapshots, options),
    interrupted: unfinishedIn(connection),
    logSize: () => logSize(path),
  };
  const { early, ...writer } = createWriter(parts, options);
  const store: Store = {
    ...durableReads(reading, early.state),
    ...writer,
    saveUser: async (workspace, claims) => {
      // Checked in this thread: a caller that only reads must not wait for a long write.
      const stored = await reading.storedUser(workspace, claims.id);
      if (isUpToDate(stored?.user, claims)) return;
      await writer.saveUser(workspace, claims);
    },
    close: async () => {
      try {
        await writer.close();
      } finally {
        await snapshots.close();
        connection.close();
      }
    },
  };
  return { ...store, early: { ...early, reading } };
}

function slicesOf({ slices, sharesFile = false }: SqliteOptions): SliceOptions | undefined {
  return sharesFile ? { patience: Infinity } : slices;
}

/** Holds what the readers of a workspace see, or refuses them, in this process and in all others. */
function createHolds(
  snapshots: Snapshots,
  { holdElsewhere }: SqliteOptions,
): Pick<WriterParts, "hold" | "refuse"> {
  async function followElsewhere(workspace: string): Promise<Release> {
    const releaseElsewhere = await holdElsewhere?.(workspace);
    return async () => {
      const ended = snapshots.release(workspace);
      await releaseElsewhere?.();
      return { ended };
    };
  }
  return {
    async hold(workspace) {
      try {
        await snapshots.hold(workspace);
        return await followElsewhere(workspace);
      } catch (error) {
        await snapshots.release(workspace);
        throw error;
      }
    },
    refuse(workspace) {
      snapshots.refuse(workspace);
      return followElsewhere(workspace);
    },
  };
}

/** Reads that resolve once what they saw is on the disk. */
function durableReads(reading: Reading, state: VisibleState): Reading {
  const methods = Object.entries(reading).map(([name, read]) => [
    name,
    // Sound because each method is called with its own arguments.
    (...args: unknown[]) => readDurably(state, () => (read as AnyRead)(...args)),
  ]);
  // Sound because every method is there, and settles like the one of its name.
  return Object.fromEntries(methods) as Reading;
}

type AnyRead = (...args: unknown[]) => Promise<unknown>;

/** Prepares all statements that read. */
function createReading(
  connection: Connection,
  { reads: times }: StoreMetrics = createStoreMetrics(),
): TrackedReading {
  const { db } = connection;
  const toAsync = timed(times);
  const { source, run, steps } = createReader(db);
  const reads = createReads(source);
  const vocabulary = createVocabulary(connection);
  const { findWords, words } = createWordFinder(connection, vocabulary);
  const spaces = createSpaceTable(connection);
  const vectors = createVectorTable(connection);
  const { fewLinks, nextLinks, ...methods } = toMethods(reads, toAsync(run));
  const { rows, listRows } = createRowReader(connection, {
    firstNodes: (workspace, ids) => steps(reads.firstNodes(workspace, ids)),
  });
  const inSteps = <Args extends unknown[], T>(read: (...args: Args) => ReadPlan<T>) =>
    measured((...args: Args) => startSteps(connection, steps(read(...args))), times);
  const { tracked, settled } = trackReads();
  const reading: Reading = {
    ...methods,
    firstNodes: tracked(inSteps(reads.firstNodes)),
    children: tracked(inSteps(reads.children)),
    content: tracked(measured(createContentReader(connection), times)),
    links: createLinkReader({ fewLinks, nextLinks }),
    rows: tracked(measured(rows, times)),
    listRows: tracked(measured(listRows, times)),
    findWords: tracked(measured(findWords, times)),
    wordStatistics: tracked(measured(createWordCounter(connection, vocabulary), times)),
    hasOutdatedWords: toAsync(createOutdatedCheck(db)),
    words: toAsync(words),
    searchedWorkspaces: toAsync(spaces.searchedWorkspaces),
    spaces: toAsync(spaces.spaces),
    model: toAsync(spaces.model),
    vectors: toAsync(vectors.vectors),
    pageIds: toAsync(vectors.pageIds),
    pagesWithin: toAsync(vectors.pagesWithin),
  };
  return { reading, settled };
}

/** Keeps count of reads that take several steps. */
function trackReads(): Pick<TrackedReading, "settled"> & { readonly tracked: TrackRead } {
  const underWay = new Set<Promise<unknown>>();
  return {
    tracked: (read) => (...args) => {
      const result = read(...args);
      underWay.add(result);
      const end = () => void underWay.delete(result);
      result.then(end, end);
      return result;
    },
    settled: async () => void await Promise.allSettled(underWay),
  };
}

type TrackRead = <Args extends unknown[], T>(
  read: (...args: Args) => Promise<T>,
) => (...args: Args) => Promise<T>;

/** Makes synchronous methods those of the port, and measures how long each takes. */
function timed({ observe }: StoreMetrics["reads"]): typeof toAsync {
  return (method) => {
    const call = toAsync(method);
    return (...args) => {
      const began = performance.now();
      const result = call(...args);
      observe(performance.now() - began);
      return result;
    };
  };
}

/** A synchronous method as the port declares it: a thrown error becomes a rejection. */
function toAsync<Args extends unknown[], T>(
  method: (...args: Args) => T,
): (...args: Args) => Promise<T> {
  return (...args) => {
    try {
      return Promise.resolve(mapDatabaseErrors(() => method(...args)));
    } catch (error) {
      return Promise.reject(error);
    }
  };
}
