/**
 * Applying the changes of a commit, in a transaction of the caller.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import type { Change } from "../../../content/schema/node.ts";
import type { Receipt } from "../../port.ts";
import { createNodeReads } from "../../reads/nodes.ts";
import { createCellWriter } from "../cells.ts";
import type { Connection } from "../connection.ts";
import { createCounterWriter } from "../counters.ts";
import { createLinkWriter } from "../links.ts";
import { createReader, type ReadNodes } from "../reader.ts";
import { createReceiptWriter } from "../receipts.ts";
import { createSearchIndexer, type SearchIndexer } from "../search/indexer.ts";
import { createUseWriter } from "../uses.ts";
import type { Appliers, ChangeSteps, Progress } from "./appliers.ts";
import { createChecks } from "./checks.ts";
import { createCommentAppliers } from "./comments.ts";
import { expect } from "./expectation.ts";
import { createMove } from "./move.ts";
import { createInsert, createTouch, createUpdate } from "./nodes.ts";
import { createReshape } from "./reshape.ts";
import { createRestore, createTrash } from "./trash.ts";
import { createUploadAppliers } from "./uploads.ts";

export interface ChangeWriter {
  readonly appliers: Appliers;
  /** Notes what the index of words has to follow; `flush()` writes it. */
  readonly search: SearchIndexer;
  /** Begins a change, from this progress on. One that is short has no steps, and is done. */
  begin(workspace: string, change: Change, from?: Progress): ChangeSteps | undefined;
  /** Stores a receipt; throws `ConflictError` if an unexpired one has its key. */
  keep(workspace: string, receipt: Receipt | undefined): void;
}

/** Prepares the statements that apply changes. */
export function createChangeWriter({ db, defer }: Connection): ChangeWriter {
  const search = createSearchIndexer(db);
  defer(search);
  const appliers = createAppliers(db, search);
  const keep = createReceiptWriter(db);
  return {
    appliers,
    search,
    begin(workspace, change, from) {
      // Sound because Appliers pairs each op with the change of that op.
      const applier = appliers[change.op] as (
        ...args: [workspace: string, change: Change, from: Progress | undefined]
      ) => ChangeSteps | undefined;
      return applier(workspace, change, from);
    },
    keep(workspace, receipt) {
      if (receipt !== undefined) expect(keep(workspace, receipt));
    },
  };
}

function createAppliers(db: DatabaseSync, search: SearchIndexer): Appliers {
  const { source, run } = createReader(db);
  const { nodes } = createNodeReads(source);
  const readNodes: ReadNodes = (workspace, ids) => run(nodes(workspace, ids));
  const cells = createCellWriter(db, search);
  const links = createLinkWriter(db);
  const counters = createCounterWriter(db);
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
    ...counters,
    writeCells: cells.writeCells,
    deleteCells: cells.deleteCells,
    materialize: cells.materialize,
    reshape: createReshape(db, { readNodes, cells, search, uses }),
    ...createUploadAppliers(db),
    ...createCommentAppliers(db, { search, uses }),
  };
}
