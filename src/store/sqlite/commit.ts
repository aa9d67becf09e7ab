/**
 * Applying changes: all of them, or nothing.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import type { Change } from "../../content/node.ts";
import type { CommitOutcome, Receipt } from "../port.ts";
import { createCellWriter } from "./cells.ts";
import type { Appliers } from "./changes/appliers.ts";
import { expect, Unexpected } from "./changes/expectation.ts";
import { createExpect, createInsert, createTouch, createUpdate } from "./changes/nodes.ts";
import { createReshape } from "./changes/reshape.ts";
import { createRestore, createTrash } from "./changes/trash.ts";
import { createUploadAppliers } from "./changes/uploads.ts";
import type { Connection } from "./connection.ts";
import { createCounterWriter } from "./counters.ts";
import { isUniqueViolation } from "./failures.ts";
import { createLinkWriter } from "./links.ts";
import type { NodeReader } from "./nodes.ts";
import { createReceiptWriter } from "./receipts.ts";
import { createUseWriter } from "./uses.ts";

export type Commit = (
  workspace: string,
  changes: readonly Change[],
  receipt?: Receipt,
) => CommitOutcome;

/** Prepares the statements that write. */
export function createCommit(
  { db, transaction }: Connection,
  nodes: Pick<NodeReader, "nodes">,
): Commit {
  const appliers = createAppliers(db, nodes);
  const keep = createReceiptWriter(db);
  return (workspace, changes, receipt) => {
    try {
      transaction(() => {
        for (const change of changes) apply(appliers, workspace, change);
        if (receipt !== undefined) expect(keep(workspace, receipt));
      });
      return "committed";
    } catch (error) {
      if (error instanceof Unexpected || isUniqueViolation(error)) return "conflict";
      throw error;
    }
  };
}

function createAppliers(db: DatabaseSync, nodes: Pick<NodeReader, "nodes">): Appliers {
  const cells = createCellWriter(db);
  const links = createLinkWriter(db);
  const count = createCounterWriter(db);
  const uses = createUseWriter(db);
  return {
    insert: createInsert(db, { cells, uses }),
    update: createUpdate(db, { cells, uses }),
    trash: createTrash(db),
    restore: createRestore(db),
    touch: createTouch(db),
    expect: createExpect(db),
    link: links.link,
    unlink: links.unlink,
    count: (workspace, change) => expect(count(workspace, change)),
    fill: cells.fill,
    clear: cells.clear,
    reshape: createReshape(db, { nodes, cells, uses }),
    ...createUploadAppliers(db),
  };
}

function apply(appliers: Appliers, workspace: string, change: Change): void {
  // Sound because Appliers pairs each op with the change of that op.
  const applier = appliers[change.op] as (workspace: string, change: Change) => void;
  applier(workspace, change);
}
