/**
 * Applying changes: all of them, or nothing.
 *
 * @module
 */
import type { Change } from "../../content/schema/node.ts";
import { createRest } from "../../shared/yield_to_event_loop.ts";
import type { CommitOutcome, Receipt } from "../port.ts";
import { deleteCells, materialize, writeCells } from "./cells.ts";
import type { Appliers, Step } from "./changes/appliers.ts";
import { expectChildless, expectNode, expectRows } from "./changes/checks.ts";
import { createComment, deleteComment, updateComment } from "./changes/comments.ts";
import { ConflictError, expect } from "./changes/expectation.ts";
import { inserts, touch, update } from "./changes/nodes.ts";
import { move } from "./changes/move.ts";
import { reshape } from "./changes/reshape.ts";
import { restore, trash } from "./changes/trash.ts";
import {
  completeUpload,
  createUpload,
  deleteOrphans,
  expireUploads,
  failUpload,
  storeUpload,
} from "./changes/uploads.ts";
import type { Connection } from "./connection.ts";
import { count, countAllRows } from "./counters.ts";
import { isUniqueViolation } from "./failures.ts";
import { countAllLinks, countLinks, link, unlink } from "./links.ts";
import type { Session } from "./query.ts";
import { keepReceipt } from "./receipts.ts";
import { createSearchIndexer, type SearchIndexer } from "./search/indexer.ts";
import { readOutdated } from "./search/outdated.ts";
import { type ChangedPages, savePages } from "./search/pages.ts";
import { lockWorkspace } from "./workspace_lock.ts";

export type Commit = (
  workspace: string,
  changes: readonly Change[],
  receipt?: Receipt,
) => Promise<CommitOutcome>;

const APPLIERS: Appliers = {
  inserts,
  update,
  trash,
  restore,
  move,
  touch,
  expect: expectNode,
  expectRows,
  expectChildless,
  link,
  unlink,
  countLinks,
  countAllLinks,
  count,
  countAllRows,
  writeCells,
  deleteCells,
  materialize,
  reshape,
  createUpload,
  storeUpload,
  completeUpload,
  failUpload,
  expireUploads,
  deleteOrphans,
  createComment,
  updateComment,
  deleteComment,
};

const LONG: ReadonlySet<Step["op"]> = new Set(["reshape", "trash", "restore", "move"] as const);
const SHORT: ReadonlySet<Change["op"]> = new Set(
  [
    ...["insert", "update", "touch", "link", "countLinks", "count"] as const,
    ...["expect", "expectRows", "expectChildless"] as const,
  ],
);

/**
 * Creates the commit on transactions of this connection; `onCommit` is told how many changes each
 * had.
 */
export function createCommit(
  { transaction }: Connection,
  onCommit: (changes: number) => void = () => {},
): Commit {
  return async (workspace, changes, receipt) => {
    try {
      await transaction(
        (session) => apply(session, workspace, changes, receipt),
        (session, pages) => savePages(session, workspace, pages),
        workspace,
      );
      onCommit(changes.length);
      return "committed";
    } catch (error) {
      if (error instanceof ConflictError || isUniqueViolation(error)) return "conflict";
      throw error;
    }
  };
}

/**
 * Applies the changes and returns what is left to write to the word index. Sends all statements at
 * once and then awaits their replies; only long steps and changes of a schema are awaited one by
 * one.
 *
 * INVARIANT: commits of a workspace run one after the other, as on SQLite. So every statement sees
 * all earlier commits, and none waits for a row lock of another commit.
 */
async function apply(
  session: Session,
  workspace: string,
  changes: readonly Change[],
  receipt?: Receipt,
): Promise<ChangedPages> {
  const locked = lockWorkspace(session, workspace);
  locked.catch(() => {}); // looked at with all others
  const search = createSearchIndexer(session, workspace);
  const sent = await sendSteps(session, { workspace, changes, search });
  const [pages, isMaterialized] = await Promise.all([
    search.changedPages(),
    receipt === undefined || keepReceipt(session, workspace, receipt),
    ...[locked, ...sent],
  ]);
  expect(isMaterialized);
  return pages;
}

/**
 * Applies changes in a transaction that holds the lock of the workspace; `search` learns of them.
 */
export async function applyInTurn(
  session: Session,
  { receipt, ...steps }: Steps & { readonly receipt: Receipt | undefined },
): Promise<void> {
  const sent = await sendSteps(session, steps);
  const [isMaterialized] = await Promise.all([
    receipt === undefined || keepReceipt(session, steps.workspace, receipt),
    ...sent,
  ]);
  expect(isMaterialized);
}

/** Returns whether the changes take a few statements, and none reads the word index. */
export function areShort(changes: readonly Change[]): boolean {
  return changes.every(({ op }) => SHORT.has(op));
}

interface Steps {
  readonly workspace: string;
  readonly changes: readonly Change[];
  readonly search: SearchIndexer;
}

/** Sends the statements of all changes; resolves once all but the last are answered, or sooner. */
async function sendSteps(
  session: Session,
  { workspace, changes, search }: Steps,
): Promise<readonly Promise<unknown>[]> {
  const sent: Promise<unknown>[] = [];
  const rest = createRest();
  for (const row of await readOutdated(session, workspace, changes)) search.note(row);
  for (const step of stepsOf(changes).map(search.watch)) {
    if (step.op === "reshape" || step.op === "move") await Promise.all(sent);
    if (step.op === "restore") search.move(step.id);
    const applied = applyStep(session, workspace, step);
    applied.catch(() => {}); // looked at with all others
    sent.push(applied);
    // They may take several statements, and what follows builds on the last.
    if (LONG.has(step.op)) await applied;
    if (step.op === "trash") search.move(step.id);
    await rest();
  }
  return sent;
}

/** UTF-16 code units of the documents that one statement inserts, at least. */
const INSERTED = 250_000;

function stepsOf(changes: readonly Change[]): Step[] {
  const steps: Step[] = [];
  let length = 0;
  for (const change of changes) {
    const last = steps.at(-1);
    if (change.op !== "insert") {
      steps.push(change);
      continue;
    }
    if (last?.op === "inserts" && length < INSERTED) last.changes.push(change);
    else {
      steps.push({ op: "inserts", changes: [change] });
      length = 0;
    }
    length += change.node.doc.length;
  }
  return steps;
}

function applyStep(session: Session, workspace: string, step: Step): Promise<void> {
  // Sound because Appliers pairs each op with the step of that op.
  const applier = APPLIERS[step.op] as (...applied: [Session, string, Step]) => Promise<void>;
  return applier(session, workspace, step);
}
