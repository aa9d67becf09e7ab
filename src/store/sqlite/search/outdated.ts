/**
 * Rows whose words change with the schema of their database though they are not rewritten.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import { changesTexts } from "../../../content/properties/mod.ts";
import { parseDatabaseDoc } from "../../../content/schema/database.ts";
import type { Property } from "../../../content/schema/property.ts";
import type { SizedNode } from "../../batches.ts";
import { type Query, query } from "../query.ts";

/** Rows whose words are to be written again. */
export interface OutdatedRows {
  /** Finds those whose words change with the document of their database, by ID. */
  find(workspace: string, id: string, doc: string): ReadonlyMap<string, SizedNode>;
  /** Removes a row, whose words are written, from what was found last in its workspace. */
  remove(workspace: string, row: string): void;
  clear(): void;
}

/** Prepares the search for outdated rows. */
export function createOutdatedRows(db: DatabaseSync): OutdatedRows {
  const read = createOutdatedReader(db);
  const found = new Map<string, Map<string, SizedNode>>();
  return {
    find(workspace, id, doc) {
      const rows = new Map(read(workspace, id, doc).map((row) => [row.id, row]));
      if (rows.size > 0) found.set(workspace, rows);
      return rows;
    },
    remove: (workspace, row) => void found.get(workspace)?.delete(row),
    clear: () => found.clear(),
  };
}

function createOutdatedReader(
  db: DatabaseSync,
): (workspace: string, id: string, doc: string) => SizedNode[] {
  const current: Query<[string]> = query(
    db,
    "SELECT doc FROM nodes WHERE workspace_id = ? AND id = ? AND kind = 'database'",
  );
  const filled: Query<[id: string, length: number]> = query(
    db,
    `SELECT n.id, octet_length(n.doc) FROM cells c INDEXED BY cells_by_value
    CROSS JOIN nodes n ON n.workspace_id = c.workspace_id AND n.id = c.node_id
    WHERE c.workspace_id = ? AND c.database_id = ? AND c.property_id = ?
      AND (c.number IS NOT NULL OR c.key IS NOT NULL)`,
  );
  return (workspace, id, doc) => {
    const [before] = current.get(workspace, id) ?? [];
    if (before === undefined) return [];
    const after = new Map(propertiesOf(doc).map((property) => [property.id, property]));
    return propertiesOf(before)
      .filter((from) => isOutdated(from, after.get(from.id)))
      .flatMap((from) => filled.all(workspace, id, from.id))
      .map(([row, length]) => ({ id: row, length }));
  };
}

function propertiesOf(doc: string): readonly Property[] {
  return parseDatabaseDoc(doc).properties ?? [];
}

/**
 * Returns whether the words of values change. A new type or fewer options rewrite the rows anyway.
 */
function isOutdated(from: Property, to: Property | undefined): boolean {
  if (to === undefined) return true;
  return changesTexts(from, to);
}
