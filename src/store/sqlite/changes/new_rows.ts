/**
 * Commits that only insert rows. Everything that they may conflict with is checked before they write,
 * so that none of them is undone by itself: they need no savepoint.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import type { Change } from "../../../content/schema/node.ts";
import { type Query, query } from "../query.ts";
import type { Appliers, ChangeOf } from "./appliers.ts";
import { expect } from "./expectation.ts";

/** The changes of such a commit. */
export interface NewRows {
  readonly expects: readonly ChangeOf<"expect">[];
  readonly inserts: readonly ChangeOf<"insert">[];
  /** These conflict with nothing. */
  readonly counts: readonly ChangeOf<"countLinks">[];
}

/**
 * Returns the changes of a commit that only inserts pages, whose parents it expects to be unchanged;
 * undefined for any other. Pages with mentions may name uploads that are missing.
 */
export function newRowsIn(changes: readonly Change[]): NewRows | undefined {
  const expects = changes.filter((change) => change.op === "expect");
  const inserts = changes.filter((change) => change.op === "insert");
  const counts = changes.filter((change) => change.op === "countLinks");
  if (expects.length + inserts.length + counts.length < changes.length) return undefined;
  const parents = new Set(expects.flatMap(({ id, mayBeTrashed }) => mayBeTrashed ? [] : [id]));
  const areRows = inserts.every(({ node }) =>
    node.kind === "page" && !node.hasMentions && parents.has(node.parentId ?? "")
  );
  return areRows ? { expects, inserts, counts } : undefined;
}

/** Prepares the check, which throws `ConflictError`. */
export function createRowCheck(
  db: DatabaseSync,
  { expect: expectVersion }: Pick<Appliers, "expect">,
): (workspace: string, rows: NewRows) => void {
  const taken: Query<[number]> = query(
    db,
    `SELECT 1 FROM nodes WHERE workspace_id = ?1 AND id = ?2
    UNION ALL
    SELECT 1 FROM nodes WHERE workspace_id = ?1 AND parent_id = ?3 AND position = ?4`,
  );
  return (workspace, { expects, inserts }) => {
    for (const change of expects) expectVersion(workspace, change);
    for (const { node: { id, parentId, position } } of inserts) {
      expect(taken.get(workspace, id, parentId, position) === undefined);
    }
  };
}
