/**
 * Writing the cells of rows.
 *
 * @module
 */
import type { DatabaseChange } from "../../content/node.ts";
import type { PropertyCell } from "../../content/query/cells.ts";
import { type Session, statement } from "./query.ts";

/** A row and the database it is in. */
export interface RowId {
  readonly id: string;
  readonly databaseId: string;
}

/**
 * The row's cells are these from here on; those that stay as they are cost no write. One statement,
 * because each is a round trip.
 */
export async function replaceCells(
  on: Session,
  workspace: string,
  { id, databaseId }: RowId,
  cells: readonly PropertyCell[],
): Promise<void> {
  await replace(on, workspace, id, databaseId, JSON.stringify(cells));
}

const replace = statement(`
  WITH fresh AS (
    SELECT * FROM json_to_recordset($4::text::json)
      AS f ("propertyId" text, ordinal integer, number float8, key text, text text)
  ), gone AS (
    DELETE FROM cells c WHERE c.workspace_id = $1 AND c.node_id = $2
      AND (c.property_id, c.ordinal) NOT IN (SELECT f."propertyId", f.ordinal FROM fresh f)
  )
  INSERT INTO cells AS c
    (workspace_id, node_id, database_id, property_id, ordinal, number, key, text)
  SELECT $1, $2, $3, f."propertyId", f.ordinal, f.number, f.key, f.text FROM fresh f
  ON CONFLICT (workspace_id, node_id, property_id, ordinal) DO UPDATE
  SET number = excluded.number, key = excluded.key, text = excluded.text
  WHERE (c.number, c.key, c.text) IS DISTINCT FROM (excluded.number, excluded.key, excluded.text)
`);

type Of<Op extends DatabaseChange["op"]> = Extract<DatabaseChange, { readonly op: Op }>;

/** Gives every row of a database the same cell of a property that none has a cell of. */
export async function fillCells(
  on: Session,
  workspace: string,
  { databaseId, propertyId, cell: { number, key, text } }: Of<"fill">,
): Promise<void> {
  await fill(on, workspace, databaseId, propertyId, number, key, text);
}

const fill = statement(`
  INSERT INTO cells (workspace_id, node_id, database_id, property_id, ordinal, number, key, text)
  SELECT $1, n.id, $2, $3, 0, $4, $5, $6 FROM nodes n
  WHERE n.workspace_id = $1 AND n.parent_id = $2
    AND n.parent_kind = 'database' AND n.kind = 'page'
`);

/** Takes a property's cells from every row of a database. */
export async function clearCells(
  on: Session,
  workspace: string,
  { databaseId, propertyId }: Of<"clear">,
): Promise<void> {
  await clear(on, workspace, databaseId, propertyId);
}

const clear = statement(
  "DELETE FROM cells WHERE workspace_id = $1 AND database_id = $2 AND property_id = $3",
);
