/**
 * The store on SQLite.
 *
 * @module
 */
import type { Store } from "../port.ts";
import { createCommit } from "./commit.ts";
import { type Connection, openConnection, startServing } from "./connection.ts";
import { createContentReader } from "./content.ts";
import { reach } from "./failures.ts";
import { migrate } from "./migrations.ts";
import { createCounterReader } from "./counters.ts";
import { createLinkReader } from "./links.ts";
import { createNodeReader } from "./nodes.ts";
import { createReceiptReader } from "./receipts.ts";
import { createRowReader } from "./rows.ts";
import { createDueQueue } from "./search/due.ts";
import { createEditedReader } from "./search/edited.ts";
import { type FillOptions, fillSearch } from "./search/fill.ts";
import { createWordFinder } from "./search/finder.ts";
import { createWordCounter } from "./search/statistics.ts";
import { createSpaceTable } from "./search/spaces.ts";
import { createVectorTable } from "./search/vectors.ts";
import { createSecretTable } from "./secrets.ts";
import { createUploadReader } from "./uploads.ts";
import { createUserTable } from "./users.ts";

/**
 * Opens the store in a file, made where it is missing, or in memory for `:memory:`. Throws where the
 * file cannot be used or is newer than this release.
 *
 * SQLite works in this thread: nothing is awaited between the start and the end of a transaction.
 */
export function openSqliteStore(path: string, options: FillOptions = {}): Store {
  const connection = openConnection(path);
  try {
    migrate(connection);
    fillSearch(connection, options);
    startServing(connection);
    return createSqliteStore(connection);
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** The store on an open connection whose schema is up to date. */
export function createSqliteStore(connection: Connection): Store {
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
    takeDue: asking(due.takeDue),
    finishDue: asking(due.finishDue),
    countDue: asking(due.countDue),
    searchedWorkspaces: asking(spaces.searchedWorkspaces),
    spaces: asking(spaces.spaces),
    addSpace: asking(spaces.addSpace),
    model: asking(spaces.model),
    fillSpace: asking(spaces.fillSpace),
    completeSpace: asking(spaces.completeSpace),
    saveVectors: asking(vectors.saveVectors),
    vectors: asking(vectors.vectors),
    sweepVectors: asking(vectors.sweepVectors),
    pageIds: asking(vectors.pageIds),
    pagesWithin: asking(vectors.pagesWithin),
    titles: asking(nodes.titles),
    commit: asking(createCommit(connection, nodes)),
    receipt: asking(createReceiptReader(connection.db)),
    uploads: asking(uploads.uploads),
    leftovers: asking(uploads.leftovers),
    sweepable: asking(uploads.sweepable),
    user: asking(users.user),
    users: asking(users.users),
    saveUser: asking(users.saveUser),
    secret: asking(createSecretTable(connection)),
    ping: asking(createPing(connection)),
    close: asking(connection.close),
  };
}

function createPing({ db, transaction }: Connection): () => void {
  // To begin is no proof: SQLite lets a read-only file begin. This reads and is refused there, yet
  // finds no row, so that a probe costs the disk nothing.
  const write = db.prepare("DELETE FROM migrations WHERE name = ''");
  return () => {
    transaction(() => write.run());
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
