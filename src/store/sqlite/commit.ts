/**
 * Applying changes: all of them, or nothing.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import type { Change, Node } from "../../content/node.ts";
import type { CommitOutcome, Receipt } from "../port.ts";
import type { Connection } from "./connection.ts";
import { isUniqueViolation } from "./failures.ts";
import { TOP } from "./nodes.ts";
import { createReceiptWriter } from "./receipts.ts";

export type Commit = (
  workspace: string,
  changes: readonly Change[],
  receipt?: Receipt,
) => CommitOutcome;

/** Ends a transaction whose expectations do not hold. */
class Unexpected extends Error {}

type Of<Op extends Change["op"]> = Extract<Change, { readonly op: Op }>;

/** One way to apply each change; throws `Unexpected` where the stored state is not as it says. */
type Appliers = { readonly [Op in Change["op"]]: (workspace: string, change: Of<Op>) => void };

/** Prepares the statements that write nodes. */
export function createCommit({ db, transaction }: Connection): Commit {
  const appliers: Appliers = {
    insert: createInsert(db),
    update: createUpdate(db),
    trash: createTrash(db),
    restore: createRestore(db),
    touch: createTouch(db),
  };
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

function apply(appliers: Appliers, workspace: string, change: Change): void {
  // Sound because Appliers pairs each op with the change of that op.
  const applier = appliers[change.op] as (workspace: string, change: Change) => void;
  applier(workspace, change);
}

function expect(met: boolean): void {
  if (!met) throw new Unexpected();
}

function expectOne({ changes }: { readonly changes: number | bigint }): void {
  expect(Number(changes) === 1);
}

function createInsert(db: DatabaseSync): Appliers["insert"] {
  const insert = db.prepare(`
    INSERT INTO nodes (
      workspace_id, id, kind, type, parent_kind, parent_id, container_id, position, title, doc,
      has_mentions, version, created_time, created_by, edited_time, edited_by, trash_root
    )
    SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17
    WHERE ?5 = 'workspace' OR EXISTS (
      SELECT 1 FROM nodes WHERE workspace_id = ?1 AND id = ?6 AND trash_root IS NULL
    )
  `);
  return (workspace, { node }) => expectOne(insert.run(workspace, ...valuesOf(node)));
}

function valuesOf(node: Node): (string | number | null)[] {
  return [
    ...[node.id, node.kind, node.type, node.parentKind, node.parentId ?? TOP, node.containerId],
    ...[node.position, node.title, node.doc, node.hasMentions ? 1 : 0, node.version],
    ...[node.createdTime, node.createdBy, node.editedTime, node.editedBy, node.trashRoot],
  ];
}

function createUpdate(db: DatabaseSync): Appliers["update"] {
  const update = db.prepare(`
    UPDATE nodes SET
      title = ?4, doc = ?5, has_mentions = ?6,
      version = version + 1, edited_time = ?7, edited_by = ?8
    WHERE workspace_id = ?1 AND id = ?2 AND version = ?3 AND trash_root IS NULL
  `);
  return (workspace, { id, version, title, doc, hasMentions, edit }) => {
    const mentions = hasMentions ? 1 : 0;
    expectOne(update.run(workspace, id, version, title, doc, mentions, edit.time, edit.by));
  };
}

function createTrash(db: DatabaseSync): Appliers["trash"] {
  const root = db.prepare(`
    UPDATE nodes SET
      trash_root = id, version = version + 1, edited_time = ?4, edited_by = ?5
    WHERE workspace_id = ?1 AND id = ?2 AND version = ?3 AND trash_root IS NULL
  `);
  const below = db.prepare(`
    WITH RECURSIVE below (id) AS (
      SELECT id FROM nodes WHERE workspace_id = ?1 AND parent_id = ?2 AND trash_root IS NULL
      UNION ALL
      SELECT n.id FROM below
      CROSS JOIN nodes n ON n.workspace_id = ?1 AND n.parent_id = below.id AND n.trash_root IS NULL
    )
    UPDATE nodes SET trash_root = ?2, version = version + 1
    WHERE workspace_id = ?1 AND id IN (SELECT id FROM below)
  `);
  return (workspace, { id, version, edit }) => {
    expectOne(root.run(workspace, id, version, edit.time, edit.by));
    below.run(workspace, id);
  };
}

function createRestore(db: DatabaseSync): Appliers["restore"] {
  const root = db.prepare(`
    UPDATE nodes SET
      trash_root = NULL, version = version + 1, edited_time = ?4, edited_by = ?5
    WHERE workspace_id = ?1 AND id = ?2 AND version = ?3 AND trash_root = id AND (
      parent_id = '' OR EXISTS (
        SELECT 1 FROM nodes p
        WHERE p.workspace_id = ?1 AND p.id = nodes.parent_id AND p.trash_root IS NULL
      )
    )
  `);
  const below = db.prepare(`
    UPDATE nodes SET trash_root = NULL, version = version + 1
    WHERE workspace_id = ?1 AND trash_root = ?2
  `);
  return (workspace, { id, version, edit }) => {
    expectOne(root.run(workspace, id, version, edit.time, edit.by));
    below.run(workspace, id);
  };
}

function createTouch(db: DatabaseSync): Appliers["touch"] {
  const touch = db.prepare(`
    UPDATE nodes SET version = version + 1, edited_time = ?3, edited_by = ?4
    WHERE workspace_id = ?1 AND id = ?2 AND kind <> 'block' AND trash_root IS NULL
  `);
  return (workspace, { id, edit }) => {
    touch.run(workspace, id, edit.time, edit.by);
  };
}
