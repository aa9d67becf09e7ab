/**
 * The vector spaces of workspaces.
 *
 * @module
 */
import type { NewSpace, VectorSpace } from "../../port.ts";
import { ASKED_FOR } from "../../search_due.ts";
import type { Connection } from "../connection.ts";
import { type Query, query } from "../query.ts";

export interface SpaceTable {
  searchedWorkspaces(): string[];
  spaces(workspace: string): VectorSpace[];
  addSpace(workspace: string, space: NewSpace): boolean;
  model(workspace: string, number: number): Uint8Array | undefined;
  fillSpace(workspace: string, number: number, limit: number): number;
  completeSpace(workspace: string, number: number): void;
}

type Row = readonly [
  number: number,
  embedder: string,
  parts: number,
  isFilled: number,
  isComplete: number,
  dimensions: number | null,
];

/** Prepares the reads and writes of vector spaces. */
export function createSpaceTable(connection: Connection): SpaceTable {
  const { db, transaction } = connection;
  const workspaces: Query<[string]> = query(db, "SELECT workspace_id FROM search_workspaces");
  const all: Query<Row> = query(
    db,
    `SELECT number, embedder, parts, filled_to IS NULL, complete, dimensions
    FROM search_spaces WHERE workspace_id = ? ORDER BY number`,
  );
  const add = db.prepare(`
    INSERT INTO search_spaces (
      workspace_id, number, embedder, parts, dimensions, filled_to, complete, sequence
    ) VALUES (?, ?, ?, ?, ?, '', 0, 0)
    ON CONFLICT DO NOTHING
  `);
  const addModel = db.prepare(
    "INSERT INTO search_models (workspace_id, number, model) VALUES (?, ?, ?)",
  );
  const model: Query<[Uint8Array]> = query(
    db,
    "SELECT model FROM search_models WHERE workspace_id = ? AND number = ?",
  );
  const complete = db.prepare(
    "UPDATE search_spaces SET complete = 1 WHERE workspace_id = ? AND number = ?",
  );
  const forget = db.prepare("DELETE FROM search_spaces WHERE workspace_id = ? AND number < ?");
  const forgetModels = db.prepare(
    "DELETE FROM search_models WHERE workspace_id = ? AND number < ?",
  );
  return {
    searchedWorkspaces: () => workspaces.all().map(([workspace]) => workspace),
    spaces: (workspace) => all.all(workspace).map(toSpace),
    addSpace: (workspace, { number, embedder, parts, dimensions = null, model }) =>
      transaction(() => {
        const added = add.run(workspace, number, embedder, parts, dimensions);
        if (Number(added.changes) === 0) return false;
        if (model !== undefined) addModel.run(workspace, number, model);
        return true;
      }),
    model: (workspace, number) => model.get(workspace, number)?.[0],
    fillSpace: createFill(connection),
    completeSpace(workspace, number) {
      transaction(() => {
        complete.run(workspace, number);
        forget.run(workspace, number);
        forgetModels.run(workspace, number);
      });
    },
  };
}

/** Prepares the statements that queue the next pages for a space. */
function createFill(
  { db, transaction }: Connection,
): SpaceTable["fillSpace"] {
  const reached: Query<[string | null]> = query(
    db,
    "SELECT filled_to FROM search_spaces WHERE workspace_id = ? AND number = ?",
  );
  const next: Query<[string]> = query(
    db,
    `SELECT id FROM nodes INDEXED BY pages_by_id
    WHERE workspace_id = ? AND id > ? AND kind = 'page'
    ORDER BY id LIMIT ?`,
  );
  // Pages in the queue already came after the space was created, or are being indexed for it.
  const mark = db.prepare(`
    INSERT INTO search_due (workspace_id, page_id, change, leased_until)
    SELECT ?1, wanted.value, 1, ${ASKED_FOR} FROM json_each(?3) wanted WHERE NOT EXISTS (
      SELECT 1 FROM search_vectors v
      WHERE v.workspace_id = ?1 AND v.space = ?2 AND v.page_id = wanted.value
    )
    ON CONFLICT DO NOTHING
  `);
  const move = db.prepare(
    "UPDATE search_spaces SET filled_to = ?3 WHERE workspace_id = ?1 AND number = ?2",
  );
  return (workspace, number, limit) =>
    transaction(() => {
      const [after = null] = reached.get(workspace, number) ?? [];
      if (after === null) return 0;
      const ids = next.all(workspace, after, limit).map(([id]) => id);
      mark.run(workspace, number, JSON.stringify(ids));
      move.run(workspace, number, ids.at(-1) ?? null);
      return ids.length;
    });
}

function toSpace(
  [number, embedder, parts, isFilled, isComplete, dimensions]: Row,
): VectorSpace {
  const state = { isFilled: isFilled === 1, isComplete: isComplete === 1 };
  return { number, embedder, parts, ...state, dimensions: dimensions ?? undefined };
}
