/**
 * Inserting and updating nodes.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import type { Node } from "../../../content/schema/node.ts";
import { checksumOf } from "../../checksum.ts";
import type { CellWriter, RowId } from "../cells.ts";
import { TOP } from "../../reads/nodes.ts";
import { type Query, query } from "../query.ts";
import { createRowLister } from "../row_lister.ts";
import type { SearchIndexer } from "../search/indexer.ts";
import { createOutdatingCheck } from "../search/outdated.ts";
import type { UseWriter } from "../uses.ts";
import type { Applier, ChangeOf, StepApplier } from "./appliers.ts";
import { expect, expectOne } from "./expectation.ts";

/** Writers of the data that belongs to a node. */
export interface BesideNodes {
  readonly cells: CellWriter;
  readonly search: SearchIndexer;
  readonly uses: UseWriter;
}

/** Prepares the statements that insert a node. */
export function createInsert(
  db: DatabaseSync,
  { cells, search, uses }: BesideNodes,
): Applier<"insert"> {
  const insert = db.prepare(`
    INSERT INTO nodes (
      workspace_id, id, kind, type, parent_kind, parent_id, container_id, position, title, doc,
      has_mentions, version, created_time, created_by, edited_time, edited_by, trash_root,
      checksum
    ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  `);
  // A query of its own: an INSERT that reads its own table uses a temporary table.
  const living: Query<[number]> = query(
    db,
    "SELECT 1 FROM nodes WHERE workspace_id = ? AND id = ? AND trash_root IS NULL",
  );
  return (workspace, { node, cells: own = [] }) => {
    if (node.parentId !== null) expect(living.get(workspace, node.parentId) !== undefined);
    insert.run(workspace, ...valuesOf(node));
    search.made(node);
    if (own.length > 0) cells.insert(workspace, rowOf(node), own);
    uses.insert(workspace, { ...node, time: node.editedTime });
  };
}

function rowOf(
  { id, parentId, createdTime }: Pick<Node, "id" | "parentId" | "createdTime">,
): RowId {
  if (parentId === null) throw new Error(`Page ${id} has cells, but is in no database`);
  return { id, databaseId: parentId, createdTime };
}

function valuesOf(node: Node): (string | number | null)[] {
  return [
    ...[node.id, node.kind, node.type, node.parentKind, node.parentId ?? TOP, node.containerId],
    ...[node.position, node.title, node.doc, node.hasMentions ? 1 : 0, node.version],
    ...[node.createdTime, node.createdBy, node.editedTime, node.editedBy, node.trashRoot],
    checksumOf(node),
  ];
}

/** Prepares the statement that replaces a node's content. */
export function createUpdate(
  db: DatabaseSync,
  { cells, search, uses }: BesideNodes,
): StepApplier<"update"> {
  const update = db.prepare(`
    UPDATE nodes SET
      title = ?4, doc = ?5, checksum = ?9, has_mentions = ?6,
      version = version + 1, edited_time = ?7, edited_by = ?8
    WHERE workspace_id = ?1 AND id = ?2 AND version = ?3 AND trash_root IS NULL
  `);
  const parent: Query<[string | null, number]> = query(
    db,
    "SELECT nullif(parent_id, ''), created_time FROM nodes WHERE workspace_id = ? AND id = ?",
  );
  const rows = createRowLister(db);
  const isOutdating = createOutdatingCheck(db);
  /** Returns whether words of rows change with the document. */
  const replace = (
    workspace: string,
    { id, version, title, doc, hasMentions, edit, cells: own }: ChangeOf<"update">,
  ): boolean => {
    const mentions = hasMentions ? 1 : 0;
    const isOutdated = isOutdating(workspace, id, doc);
    const checksum = checksumOf({ id, title, doc });
    const values = [workspace, id, version, title, doc, mentions, edit.time, edit.by, checksum];
    expectOne(update.run(...values));
    uses.replace(workspace, { id, doc, hasMentions, time: edit.time });
    if (own === undefined) return isOutdated;
    const [parentId = null, createdTime = 0] = parent.get(workspace, id) ?? [];
    cells.replace(workspace, [{ row: rowOf({ id, parentId, createdTime }), cells: own }]);
    return isOutdated;
  };
  return function* (workspace, change, from) {
    const { id, title, doc } = change;
    // Behind an interruption it is not known any more.
    const isOutdated = from === undefined ? replace(workspace, change) : true;
    if (from?.after === undefined) {
      for (const _ of search.retitled(workspace, id, title)) yield {};
      search.changed({ id, length: doc.length });
    }
    if (!isOutdated) return;
    if (from === undefined) yield {};
    const all = { databaseId: id, after: from?.after };
    for (const { rows: some, last } of rows(workspace, all)) {
      for (const row of some) search.changed(row);
      yield last === undefined ? {} : { after: last };
    }
  };
}

/** Prepares the statement that marks a node as edited. */
export function createTouch(db: DatabaseSync): Applier<"touch"> {
  const touch = db.prepare(`
    UPDATE nodes SET version = version + 1, edited_time = ?3, edited_by = ?4
    WHERE workspace_id = ?1 AND id = ?2 AND kind <> 'block' AND trash_root IS NULL
  `);
  return (workspace, { id, edit }) => {
    touch.run(workspace, id, edit.time, edit.by);
  };
}
