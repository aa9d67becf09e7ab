/**
 * Writing the cells of rows.
 *
 * @module
 */
import type { PropertyCell } from "../../content/schema/cells.ts";
import type { Applier } from "./changes/appliers.ts";
import { DELETE_BLOCKS } from "../admin/text_blocks.ts";
import { expect } from "./changes/expectation.ts";
import { type Session, statement } from "./query.ts";

/** A row and all of its cells. */
export interface CellsOfRow {
  readonly id: string;
  readonly cells: readonly PropertyCell[];
}

const FRESH = `
  json_to_recordset($2::json) AS fresh (
    "nodeId" text, "propertyId" text, ordinal integer, number double precision, key text, text text
  )
`;

// The limit keeps the nodes look-ups by key: the planner takes the list for a hundred rows, and would
// compare it with all nodes of a workspace that has a few thousand.
const save = statement(`
  INSERT INTO cells (workspace_id, node_id, database_id, property_id, ordinal, number, key, text)
  SELECT n.workspace_id, n.id, n.parent_id, fresh."propertyId", fresh.ordinal, fresh.number,
    fresh.key, fresh.text
  FROM ${FRESH} CROSS JOIN LATERAL (
    SELECT * FROM nodes WHERE workspace_id = $1 AND nodes.id = fresh."nodeId" LIMIT 1
  ) n
  ON CONFLICT (workspace_id, node_id, property_id, ordinal) DO UPDATE
  SET number = excluded.number, key = excluded.key, text = excluded.text
  WHERE (cells.number, cells.key, cells.text)
    IS DISTINCT FROM (excluded.number, excluded.key, excluded.text)
`);
const removeOthers = statement(`
  DELETE FROM cells c WHERE c.workspace_id = $1 AND c.node_id = ANY ($3::text[]) AND NOT EXISTS (
    SELECT FROM ${FRESH} WHERE fresh."nodeId" = c.node_id
      AND fresh."propertyId" = c.property_id AND fresh.ordinal = c.ordinal
  )
`);
// Takes the texts out of the blocks of rows whose texts are about to change.
const unseal = statement(`
  WITH fresh AS (
    SELECT "nodeId" AS node_id, "propertyId" AS property_id, ordinal, text FROM ${FRESH}
    WHERE text IS NOT NULL
  ), stored AS (
    SELECT node_id, property_id, ordinal, text FROM cells
    WHERE workspace_id = $1 AND node_id = ANY ($3::text[]) AND text IS NOT NULL
  ), changed AS (
    SELECT DISTINCT node_id, property_id FROM (
      (TABLE fresh EXCEPT TABLE stored) UNION ALL (TABLE stored EXCEPT TABLE fresh)
    ) c
  )
  UPDATE text_blocks SET has_long = 0, texts = NULL
  WHERE texts IS NOT NULL AND (workspace_id, database_id, property_id, last_time, last_id) IN (
    SELECT b.workspace_id, b.database_id, b.property_id, b.last_time, b.last_id
    FROM changed CROSS JOIN LATERAL (
      SELECT * FROM nodes WHERE workspace_id = $1 AND nodes.id = changed.node_id LIMIT 1
    ) n CROSS JOIN LATERAL (
      SELECT * FROM text_blocks t
      WHERE t.workspace_id = $1 AND t.database_id = n.parent_id
        AND t.property_id = changed.property_id AND (t.last_time, t.last_id) >= (n.created_time, n.id)
      ORDER BY t.last_time, t.last_id LIMIT 1
    ) b
  )
`);
const deleteBlocks = statement(DELETE_BLOCKS);
const fillColumn = statement(`
  INSERT INTO cells (workspace_id, node_id, database_id, property_id, ordinal, number, key, text)
  SELECT n.workspace_id, n.id, n.parent_id, $3, 0, $4, $5, $6 FROM nodes n
  WHERE n.workspace_id = $1 AND n.parent_id = $2 AND n.parent_kind = 'database' AND n.kind = 'page'
`);
const clearColumn = statement(
  "DELETE FROM cells WHERE workspace_id = $1 AND database_id = $2 AND property_id = $3",
);

/** Inserts the cells of new rows. */
export async function insertCells(
  session: Session,
  workspace: string,
  rows: readonly CellsOfRow[],
): Promise<void> {
  const cells = cellsOf(rows);
  if (cells.length === 0) return;
  await Promise.all([
    unseal(session, workspace, cells, rows.map(({ id }) => id)),
    save(session, workspace, cells),
  ]);
}

/** Replaces the cells of rows. Cells that stay the same are not written. */
export async function replaceCells(
  session: Session,
  workspace: string,
  rows: readonly CellsOfRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const cells = cellsOf(rows);
  const ids = rows.map(({ id }) => id);
  await Promise.all([
    unseal(session, workspace, cells, ids),
    // Without the texts, which are long.
    removeOthers(session, workspace, cells.map(({ text: _, ...cell }) => cell), ids),
    save(session, workspace, cells),
  ]);
}

function cellsOf(rows: readonly CellsOfRow[]): (PropertyCell & { readonly nodeId: string })[] {
  return rows.flatMap(({ id, cells }) => cells.map((cell) => ({ nodeId: id, ...cell })));
}

/** Adds one cell of a new property to every row. */
export const writeCells: Applier<"writeCells"> = async (session, workspace, change) => {
  const { databaseId, propertyId, cell: { number, key, text } } = change;
  await Promise.all([
    deleteBlocks(session, workspace, databaseId, propertyId),
    fillColumn(session, workspace, databaseId, propertyId, number, key, text),
  ]);
};

const FOUND = `
  json_to_recordset($2::json) AS given (id text, version integer, cell json)
  CROSS JOIN LATERAL (
    SELECT * FROM nodes WHERE workspace_id = $1 AND nodes.id = given.id LIMIT 1
  ) n
`;
const countVersions = statement(`
  SELECT FROM ${FOUND} WHERE n.version = given.version AND n.parent_id = $3
`);
const removeMaterialized = statement(`
  DELETE FROM cells
  WHERE workspace_id = $1 AND property_id = $3 AND ordinal = 0 AND node_id = ANY ($2::text[])
`);
const addMaterialized = statement(`
  INSERT INTO cells (workspace_id, node_id, database_id, property_id, ordinal, number, key, text)
  SELECT n.workspace_id, n.id, n.parent_id, $3, 0, (given.cell ->> 'number')::double precision,
    given.cell ->> 'key', NULL
  FROM ${FOUND} WHERE json_typeof(given.cell) = 'object'
`);

/** Sets one cell of rows. */
export const materialize: Applier<"materialize"> = async (
  session,
  workspace,
  { databaseId, propertyId, rows },
) => {
  const [count] = await Promise.all([
    countVersions(session, workspace, rows, databaseId),
    removeMaterialized(session, workspace, rows.map(({ id }) => id), propertyId),
    addMaterialized(session, workspace, rows, propertyId),
  ]);
  expect(count === rows.length);
};

/** Deletes all cells of a property. */
export const deleteCells: Applier<"deleteCells"> = async (
  session,
  workspace,
  { databaseId, propertyId },
) => {
  await Promise.all([
    deleteBlocks(session, workspace, databaseId, propertyId),
    clearColumn(session, workspace, databaseId, propertyId),
  ]);
};
