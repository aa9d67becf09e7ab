/**
 * Databases whose rows have other words though they are not rewritten.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import { withOtherTexts } from "../../../content/databases/other_texts.ts";
import { type Query, query } from "../query.ts";

/** Returns whether words of rows change when this document replaces that of a node. */
export type IsOutdating = (workspace: string, id: string, doc: string) => boolean;

/** Prepares the comparison of documents of databases. */
export function createOutdatingCheck(db: DatabaseSync): IsOutdating {
  const current: Query<[string]> = query(
    db,
    "SELECT doc FROM nodes WHERE workspace_id = ? AND id = ? AND kind = 'database'",
  );
  return (workspace, id, doc) => {
    const [before] = current.get(workspace, id) ?? [];
    return before !== undefined && withOtherTexts(before, doc).length > 0;
  };
}
