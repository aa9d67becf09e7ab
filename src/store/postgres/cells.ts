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

// One statement, so that long texts are sent once. Cells that stay the same are left out, because an
// upsert locks, and so writes, each cell that it meets.
//
// Hash joins are disabled, so a join with the cells of the statement would compare each with each:
// `EXCEPT` and `NOT IN` hash them. The limits keep nodes and blocks look-ups by key. Blocks are updated
// by their address, because the plan of a small table would read all of them.
const replace = statement(`
  WITH fresh AS MATERIALIZED (
    SELECT * FROM json_to_recordset($2::json) AS fresh (
      "nodeId" text COLLATE "C", "propertyId" text COLLATE "C", ordinal integer,
      number double precision, key text COLLATE "C", text text COLLATE "C"
    )
  ), stored AS MATERIALIZED (
    SELECT node_id, property_id, ordinal, number, key, text FROM cells
    WHERE workspace_id = $1 AND node_id = ANY ($3::text[])
  ), changed (node_id, property_id, ordinal, number, key, text) AS MATERIALIZED (
    TABLE fresh EXCEPT TABLE stored
  ), unsealed AS (
    UPDATE text_blocks SET has_long = 0, texts = NULL
    WHERE texts IS NOT NULL AND ctid = ANY (ARRAY(
      SELECT b.ctid FROM (
        SELECT node_id, property_id FROM changed WHERE text IS NOT NULL
        UNION
        SELECT node_id, property_id FROM (TABLE stored EXCEPT TABLE fresh) old WHERE text IS NOT NULL
      ) c CROSS JOIN LATERAL (
        SELECT * FROM nodes WHERE workspace_id = $1 AND nodes.id = c.node_id LIMIT 1
      ) n CROSS JOIN LATERAL (
        SELECT t.ctid FROM text_blocks t
        WHERE t.workspace_id = $1 AND t.database_id = n.parent_id AND t.property_id = c.property_id
          AND (t.last_time, t.last_id) >= (n.created_time, n.id)
        ORDER BY t.last_time, t.last_id LIMIT 1
      ) b
    ))
  ), deleted AS (
    DELETE FROM cells WHERE workspace_id = $1 AND node_id = ANY ($3::text[])
      AND (node_id, property_id, ordinal) NOT IN (
        SELECT "nodeId", "propertyId", ordinal FROM fresh
      )
  )
  INSERT INTO cells (workspace_id, node_id, database_id, property_id, ordinal, number, key, text)
  SELECT n.workspace_id, n.id, n.parent_id, c.property_id, c.ordinal, c.number, c.key, c.text
  FROM changed c CROSS JOIN LATERAL (
    SELECT * FROM nodes WHERE workspace_id = $1 AND nodes.id = c.node_id LIMIT 1
  ) n
  ON CONFLICT (workspace_id, node_id, property_id, ordinal) DO UPDATE
  SET number = excluded.number, key = excluded.key, text = excluded.text
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

/** Replaces the cells of rows, or writes the first ones. Cells that stay the same are not written. */
export async function replaceCells(
  session: Session,
  workspace: string,
  rows: readonly CellsOfRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const cells = rows.flatMap(({ id, cells }) => cells.map((cell) => ({ nodeId: id, ...cell })));
  await replace(session, workspace, cells, rows.map(({ id }) => id));
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
