/**
 * The store on SQLite.
 *
 * @module
 */
import { isTold } from "../../content/users.ts";
import type { Store } from "../port.ts";
import { type Reading, toWriting } from "../writing.ts";
import { type Connection, openConnection, startServing } from "./connection.ts";
import { createContentReader } from "./content.ts";
import { createCounterReader } from "./counters.ts";
import { reach } from "./failures.ts";
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
import { createLengthJudge } from "./write_length.ts";
import { createWriterThread, type WriterThread } from "./writer_thread.ts";
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
    return join(connection, createWriterThread(path), options);
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** The store on an open connection whose schema is up to date, all in this thread. */
export function createSqliteStore(connection: Connection): Store {
  const writing = toWriting(asking(createWriting(connection)));
  return { ...createReading(connection), ...writing, close: asking(connection.close) };
}

/** Reads in this thread, and writes where it holds up nobody. */
function join(connection: Connection, thread: WriterThread, options: SqliteOptions): Store {
  const reading = createReading(connection);
  const write = createWriting(connection);
  const isLong = options.isLong ?? createLengthJudge(connection.db);
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
    node: asking(nodes.node),
    version: asking(nodes.version),
    children: asking(nodes.children),
    content: asking(content.content),
    mentioning: asking(content.mentioning),
    docs: asking(content.docs),
    gap: asking(nodes.gap),
    nodes: asking(nodes.nodes),
    rows: createRowReader(connection, nodes),
    links: asking(createLinkReader(connection.db)),
    lastNumber: asking(createCounterReader(connection.db)),
    findWords: asking((workspace, query) => connection.reading(() => findWords(workspace, query))),
    wordStatistics: asking(createWordCounter(connection.db)),
    edited: asking(createEditedReader(connection, { nodes: nodes.nodes, findWords })),
    words: asking(words.words),
    dueWorkspaces: asking(due.dueWorkspaces),
    writtenWorkspaces: asking(due.writtenWorkspaces),
    countDue: asking(due.countDue),
    searchedWorkspaces: asking(spaces.searchedWorkspaces),
    spaces: asking(spaces.spaces),
    model: asking(spaces.model),
    vectors: asking(vectors.vectors),
    pageIds: asking(vectors.pageIds),
    pagesWithin: asking(vectors.pagesWithin),
    titles: asking(nodes.titles),
    receipt: asking(createReceiptReader(connection.db)),
    uploads: asking(uploads.uploads),
    leftovers: asking(uploads.leftovers),
    sweepable: asking(uploads.sweepable),
    user: asking(users.user),
    users: asking(users.users),
  };
}

/** A synchronous method as the port has it: what it throws rejects. */
function asking<Args extends unknown[], T>(
  method: (...args: Args) => T,
): (...args: Args) => Promise<T> {
  return (...args) => {
    try {
      return Promise.resolve(reach(() => method(...args)));
    } catch (error) {
      return Promise.reject(error);
    }
  };
}
