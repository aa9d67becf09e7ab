/**
 * Applying changes: all of them, or nothing.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import type { Change } from "../../content/schema/node.ts";
import type { CommitOutcome, Receipt } from "../port.ts";
import { createCellWriter } from "./cells.ts";
import type { Appliers } from "./changes/appliers.ts";
import { ConflictError, expect } from "./changes/expectation.ts";
import { createChecks } from "./changes/checks.ts";
import { createCommentAppliers } from "./changes/comments.ts";
import { createInsert, createTouch, createUpdate } from "./changes/nodes.ts";
import { createMove } from "./changes/move.ts";
import { createRowCheck, newRowsIn } from "./changes/new_rows.ts";
import { createReshape } from "./changes/reshape.ts";
import { createRestore, createTrash } from "./changes/trash.ts";
import { createUploadAppliers } from "./changes/uploads.ts";
import type { Connection } from "./connection.ts";
import { createCounterWriter } from "./counters.ts";
import { isUniqueViolation } from "./failures.ts";
import { createLinkWriter } from "./links.ts";
import type { ReadNodes } from "./reader.ts";
import { createReceiptWriter } from "./receipts.ts";
import { createSearchIndexer, type SearchIndexer } from "./search/indexer.ts";
import { createUseWriter } from "./uses.ts";

export type Commit = (
  workspace: string,
  changes: readonly Change[],
  receipt?: Receipt,
) => CommitOutcome;

/** Prepares the statements that write. */
export function createCommit(
  { db, transaction, defer }: Connection,
  readNodes: ReadNodes,
): Commit {
  const search = createSearchIndexer(db);
  defer(search);
  const appliers = createAppliers(db, { readNodes, search });
  const keep = createReceiptWriter(db);
  const checkRows = createRowCheck(db, appliers);
  return (workspace, changes, receipt) => {
    const keepReceipt = (): void => {
      if (receipt !== undefined) expect(keep(workspace, receipt));
    };
    const write = (some: readonly Change[]): void => {
      search.begin();
      for (const change of some) apply(appliers, workspace, change);
      // Last, because what it leaves for the end of the transaction is not undone with this part.
      search.flush(workspace);
    };
    const rows = newRowsIn(changes);
    try {
      if (rows === undefined) {
        transaction(() => {
          keepReceipt();
          write(changes);
        });
      } else {
        transaction(() => write([...rows.inserts, ...rows.counts]), () => {
          checkRows(workspace, rows);
          keepReceipt();
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

interface ApplierParts {
  readonly readNodes: ReadNodes;
  readonly search: SearchIndexer;
}

function createAppliers(db: DatabaseSync, { readNodes, search }: ApplierParts): Appliers {
  const cells = createCellWriter(db);
  const links = createLinkWriter(db);
  const count = createCounterWriter(db);
  const uses = createUseWriter(db);
  return {
    insert: createInsert(db, { cells, search, uses }),
    update: createUpdate(db, { cells, search, uses }),
    trash: createTrash(db, search),
    restore: createRestore(db, search),
    move: createMove(db, { cells, search, uses }),
    touch: createTouch(db),
    ...createChecks(db),
    link: links.link,
    unlink: links.unlink,
    countLinks: links.countLinks,
    countAllLinks: links.countAllLinks,
    count: (workspace, change) => expect(count(workspace, change)),
    writeCells: cells.writeCells,
    deleteCells: cells.deleteCells,
    materialize: cells.materialize,
    reshape: createReshape(db, { readNodes, cells, search, uses }),
    ...createUploadAppliers(db),
    ...createCommentAppliers(db, { search, uses }),
  };
}

function apply(appliers: Appliers, workspace: string, change: Change): void {
  // Sound because Appliers pairs each op with the change of that op.
  const applier = appliers[change.op] as (workspace: string, change: Change) => void;
  applier(workspace, change);
}
