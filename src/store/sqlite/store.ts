/**
 * The store on SQLite.
 *
 * @module
 */
import type { Store } from "../port.ts";
import { createCommit } from "./commit.ts";
import { openConnection, reach } from "./connection.ts";
import { migrate } from "./migrations.ts";
import { createNodeReader } from "./nodes.ts";
import { createReceiptReader } from "./receipts.ts";
import { createSecretTable } from "./secrets.ts";
import { createUserTable } from "./users.ts";

/**
 * Opens the store in a file, made where it is missing, or in memory for `:memory:`. Throws where the
 * file cannot be used or is newer than this release.
 *
 * SQLite works in this thread: nothing is awaited between the start and the end of a transaction.
 */
export function openSqliteStore(path: string): Store {
  const connection = openConnection(path);
  migrate(connection);
  const nodes = createNodeReader(connection);
  const users = createUserTable(connection);
  const receipt = createReceiptReader(connection);
  const secret = createSecretTable(connection);
  const commit = createCommit(connection);
  return {
    node: asking(nodes.node),
    children: asking(nodes.children),
    gap: asking(nodes.gap),
    titles: asking(nodes.titles),
    commit: asking(commit),
    receipt: asking(receipt),
    user: asking(users.user),
    users: asking(users.users),
    saveUser: asking(users.saveUser),
    secret: asking(secret),
    ping: asking(() => connection.exec("BEGIN IMMEDIATE; ROLLBACK")),
    close: asking(() => {
      connection.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      connection.close();
    }),
  };
}

/** A synchronous method as the port has it: what it throws rejects. */
function asking<Args extends unknown[], T>(
  method: (...args: Args) => T,
): (...args: Args) => Promise<T> {
  return async (...args) => await reach(() => method(...args));
}
