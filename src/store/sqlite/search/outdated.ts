/**
 * Rows whose words change with the schema of their database though they are not rewritten.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import { changesTexts } from "../../../content/properties/mod.ts";
import { parseDatabaseDoc } from "../../../content/schema/database.ts";
import type { Property } from "../../../content/schema/property.ts";
import { type Query, query } from "../query.ts";

/** Rows whose words are to be written again. */
export interface OutdatedRows {
  /** Finds those whose words change with the document of their database. */
  find(workspace: string, id: string, doc: string): ReadonlySet<string>;
  /** Removes a row, whose words are written, from what was found last in its workspace. */
  remove(workspace: string, row: string): void;
  clear(): void;
}

/** Prepares the search for outdated rows. */
export function createOutdatedRows(db: DatabaseSync): OutdatedRows {
  const read = createOutdatedReader(db);
  const found = new Map<string, Set<string>>();
  return {
    find(workspace, id, doc) {
      const rows = new Set(read(workspace, id, doc));
      if (rows.size > 0) found.set(workspace, rows);
      return rows;
    },
    remove: (workspace, row) => void found.get(workspace)?.delete(row),
    clear: () => found.clear(),
  };
}

function createOutdatedReader(
  db: DatabaseSync,
): (workspace: string, id: string, doc: string) => string[] {
  const current: Query<[string]> = query(
    db,
    "SELECT doc FROM nodes WHERE workspace_id = ? AND id = ? AND kind = 'database'",
  );
  const filled: Query<[string]> = query(
    db,
    `SELECT node_id FROM cells INDEXED BY cells_by_value
    WHERE workspace_id = ? AND database_id = ? AND property_id = ?
      AND (number IS NOT NULL OR key IS NOT NULL)`,
  );
  return (workspace, id, doc) => {
    const [before] = current.get(workspace, id) ?? [];
    if (before === undefined) return [];
    const after = new Map(propertiesOf(doc).map((property) => [property.id, property]));
    return propertiesOf(before)
      .filter((from) => isOutdated(from, after.get(from.id)))
      .flatMap((from) => filled.all(workspace, id, from.id))
      .map(([row]) => row);
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
