/**
 * Applying changes: all of them, or nothing.
 *
 * @module
 */
import type { Change } from "../../content/schema/node.ts";
import type { CommitOutcome, Receipt } from "../port.ts";
import { createChangeWriter } from "./changes/change_writer.ts";
import { ConflictError } from "./changes/expectation.ts";
import { createRowCheck, newRowsIn } from "./changes/new_rows.ts";
import type { Connection } from "./connection.ts";
import { isUniqueViolation } from "./failures.ts";

export type Commit = (
  workspace: string,
  changes: readonly Change[],
  receipt?: Receipt,
) => CommitOutcome;

/** Prepares the statements that write. */
export function createCommit(connection: Connection): Commit {
  const { db, transaction } = connection;
  const { appliers, search, begin, keep } = createChangeWriter(connection);
  const checkRows = createRowCheck(db, appliers);
  return (workspace, changes, receipt) => {
    const write = (some: readonly Change[]): void => {
      search.begin();
      for (const change of some) for (const _ of begin(workspace, change) ?? []);
      // Last, because what it leaves for the end of the transaction is not undone with this part.
      search.flush(workspace);
    };
    const rows = newRowsIn(changes);
    try {
      if (rows === undefined) {
        transaction(() => {
          keep(workspace, receipt);
          write(changes);
        });
      } else {
        transaction(() => write([...rows.inserts, ...rows.counts]), () => {
          checkRows(workspace, rows);
          keep(workspace, receipt);
        });
      }
      return "committed";
    } catch (error) {
      const isChecked = rows !== undefined;
      if (error instanceof ConflictError || !isChecked && isUniqueViolation(error)) {
        return "conflict";
      }
      throw error;
    }
  };
}
