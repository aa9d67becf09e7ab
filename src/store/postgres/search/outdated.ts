/**
 * Finds rows whose words change because the schema of their database changes, without being
 * rewritten.
 *
 * @module
 */
import { changesTexts } from "../../../content/properties/mod.ts";
import { parseDatabaseDoc } from "../../../content/schema/database.ts";
import type { Property } from "../../../content/schema/property.ts";
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
  WHERE c.workspace_id = $1 AND c.database_id = $2 AND c.property_id = ANY ($3::text[])
    AND (c.number IS NOT NULL OR c.key IS NOT NULL)
`);

/** Returns the rows whose words these schema changes alter. */
export async function readOutdated(
  session: Session,
  workspace: string,
  changes: readonly Change[],
): Promise<SizedNode[]> {
  const after = new Map(
    changes.filter((change) => change.op === "update")
      .filter(({ cells }) => cells === undefined) // Rows have cells; databases do not.
      .map(({ id, doc }) => [id, doc]),
  );
  if (after.size === 0) return [];
  const databases = await current.all(session, workspace, [...after.keys()]);
  const found = await Promise.all(databases.map(([id, doc]) => {
    const properties = outdatedIn(doc, after.get(id) ?? doc);
    return properties.length === 0 ? [] : filled.all(session, workspace, id, properties);
  }));
  return found.flat().map(([id, length]) => ({ id, length }));
}

function outdatedIn(before: string, after: string): string[] {
  const fresh = new Map(propertiesOf(after).map((property) => [property.id, property]));
  return propertiesOf(before).filter((from) => isOutdated(from, fresh.get(from.id)))
    .map(({ id }) => id);
}

function propertiesOf(doc: string): readonly Property[] {
  return parseDatabaseDoc(doc).properties ?? [];
}

/**
 * Returns whether the words of values change. A new type or removed options rewrite the rows
 * anyway.
 */
function isOutdated(from: Property, to: Property | undefined): boolean {
  if (to === undefined) return true;
  return changesTexts(from, to);
}
