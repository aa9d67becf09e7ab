/**
 * The store on SQLite.
 *
 * @module
 */
import { isTold } from "../../content/values/users.ts";
import type { Store } from "../port.ts";
import { type Reading, toWriting } from "../writing.ts";
import { type Connection, leaveCheckpoints, openConnection, startServing } from "./connection.ts";
import { createContentReader } from "./content.ts";
import { createCounterReader } from "./counters.ts";
import { mapDatabaseErrors } from "./failures.ts";
import { createLinkReader } from "./links.ts";
import { migrate } from "./migrations.ts";
import { createNodeReader } from "./nodes.ts";
import { createReceiptReader } from "./receipts.ts";
import { createRowReader } from "./rows.ts";
import { createDueQueue } from "./search/due.ts";
import { createEditedReader } from "./search/edited.ts";
import { type FillOptions, fillSearch } from "./search/fill.ts";
import { createWordFinder } from "./search/finder.ts";
import { createSpaceTable } from "./search/spaces.ts";
import { createWordCounter } from "./search/statistics.ts";
import { createVectorTable } from "./search/vectors.ts";
import { createUploadReader } from "./uploads.ts";
import { createUserTable } from "./users.ts";
import { createWriter, type WriterOptions, type WriterParts } from "./writer.ts";
import { createLengthEstimator } from "./write_length.ts";
import { createWriterWorker, type WriterWorker } from "./writer_thread.ts";
import { createWriting } from "./writing.ts";

export interface SqliteOptions extends FillOptions, WriterOptions {
  /** In place of what judges which writes are made in the other thread. */
  readonly isLong?: WriterParts["isLong"];
}

/**
 * Opens the store in a file, made where it is missing, or in memory for `:memory:`. Throws where the
 * file cannot be used or is newer than this release.
 *
 * A file is read in this thread, and what is short is written here too. What may take long is written in
 * another thread: readers see the last commit meanwhile. What is in memory has one connection, here.
 */
export function openSqliteStore(path: string, options: SqliteOptions = {}): Store {
  const connection = openConnection(path);
  try {
    migrate(connection);
    fillSearch(connection, options);
    startServing(connection);
    if (path === ":memory:") return createSqliteStore(connection);
    return join(connection, createWriterWorker(path), options);
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** The store on an open connection whose schema is up to date, all in this thread. */
export function createSqliteStore(connection: Connection): Store {
  const writing = toWriting(toAsync(createWriting(connection)));
  return { ...createReading(connection), ...writing, close: toAsync(connection.close) };
}

/** Reads in this thread, and writes where it holds up nobody. */
function join(connection: Connection, thread: WriterWorker, options: SqliteOptions): Store {
  leaveCheckpoints(connection);
  const reading = createReading(connection);
  const write = createWriting(connection);
  const isLong = options.isLong ?? createLengthEstimator(connection.db);
  const writer = createWriter({ thread, write, isLong }, options);
  return {
    ...reading,
    ...writer,
    saveUser: async (workspace, told) => {
      // Looked at here: who only reads must not wait for a long write.
      if (isTold(await reading.user(workspace, told.id), told)) return;
      await writer.saveUser(workspace, told);
    },
    close: async () => {
      try {
        await writer.close();
      } finally {
        connection.close();
      }
    },
  };
}

/** Prepares all statements that read. */
function createReading(connection: Connection): Reading {
  const nodes = createNodeReader(connection.db);
  const content = createContentReader(connection.db);
  const users = createUserTable(connection);
  const uploads = createUploadReader(connection.db);
  const words = createWordFinder(connection.db);
  const due = createDueQueue(connection);
  const spaces = createSpaceTable(connection);
  const vectors = createVectorTable(connection);
  const { findWords } = words;
  return {
    node: toAsync(nodes.node),
    version: toAsync(nodes.version),
    children: toAsync(nodes.children),
    content: toAsync(content.content),
    mentioning: toAsync(content.mentioning),
    docs: toAsync(content.docs),
    gap: toAsync(nodes.gap),
    nodes: toAsync(nodes.nodes),
    firstNodes: toAsync(nodes.firstNodes),
    rows: createRowReader(connection, nodes),
    links: toAsync(createLinkReader(connection.db)),
    lastNumber: toAsync(createCounterReader(connection.db)),
    findWords: toAsync((workspace, query) => connection.reading(() => findWords(workspace, query))),
    wordStatistics: toAsync(createWordCounter(connection.db)),
    edited: toAsync(createEditedReader(connection, { firstNodes: nodes.firstNodes, findWords })),
    words: toAsync(words.words),
    dueWorkspaces: toAsync(due.dueWorkspaces),
    writtenWorkspaces: toAsync(due.writtenWorkspaces),
    countDue: toAsync(due.countDue),
    searchedWorkspaces: toAsync(spaces.searchedWorkspaces),
    spaces: toAsync(spaces.spaces),
    model: toAsync(spaces.model),
    vectors: toAsync(vectors.vectors),
    pageIds: toAsync(vectors.pageIds),
    pagesWithin: toAsync(vectors.pagesWithin),
    titles: toAsync(nodes.titles),
    receipt: toAsync(createReceiptReader(connection.db)),
    uploads: toAsync(uploads.uploads),
    leftovers: toAsync(uploads.leftovers),
    sweepable: toAsync(uploads.sweepable),
    user: toAsync(users.user),
    users: toAsync(users.users),
  };
}

/** A synchronous method as the port has it: what it throws rejects. */
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
