/**
 * Finds rows whose words change because the schema of their database changes, without being
 * rewritten.
 *
 * @module
 */
import { withOtherTexts } from "../../../content/databases/other_texts.ts";
import type { Change } from "../../../content/schema/node.ts";
import type { SizedNode } from "../../batches.ts";
import { query, type Session } from "../query.ts";

const current = query<[id: string, doc: string]>(`
  SELECT id, doc FROM nodes
  WHERE workspace_id = $1 AND id = ANY ($2::text[]) AND kind = 'database'
`);
// The limit keeps the nodes look-ups by key, as in `cells.ts`.
const filled = query<[id: string, length: number]>(`
  SELECT n.id, octet_length(n.doc) FROM cells c CROSS JOIN LATERAL (
    SELECT * FROM nodes WHERE workspace_id = $1 AND nodes.id = c.node_id LIMIT 1
  ) n
  WHERE c.workspace_id = $1 AND c.database_id = $2 AND c.property_id = $3
    AND (c.number IS NOT NULL OR c.key IS NOT NULL)
`);

/** A property whose values search finds by other words, or by none. */
type Outdated = readonly [databaseId: string, propertyId: string];

/** Returns the rows whose words these schema changes alter. */
export async function readOutdated(
  session: Session,
  workspace: string,
  changes: readonly Change[],
): Promise<SizedNode[]> {
  const outdated = [...deletedBy(changes), ...await changedBy(session, workspace, changes)];
  const found = await Promise.all(
    outdated.map(([database, property]) => filled.all(session, workspace, database, property)),
  );
  return found.flat().map(([id, length]) => ({ id, length }));
}

function deletedBy(changes: readonly Change[]): Outdated[] {
  return changes.filter((change) => change.op === "deleteCells")
    .filter(({ keepsWords }) => keepsWords !== true)
    .map(({ databaseId, propertyId }): Outdated => [databaseId, propertyId]);
}

async function changedBy(
  session: Session,
  workspace: string,
  changes: readonly Change[],
): Promise<Outdated[]> {
  const after = new Map(
    changes.filter((change) => change.op === "update")
      .filter(({ cells }) => cells === undefined) // Rows have cells; databases do not.
      .map(({ id, doc }) => [id, doc]),
  );
  if (after.size === 0) return [];
  const databases = await current.all(session, workspace, [...after.keys()]);
  return databases.flatMap(([id, doc]) =>
    withOtherTexts(doc, after.get(id) ?? doc).map((property): Outdated => [id, property])
  );
}
