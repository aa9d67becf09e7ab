/**
 * Taking the texts out of sealed blocks of a column before the texts of their rows change.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import type { RowPlace } from "../admin/text_blocks.ts";
import type { RowId } from "./cells.ts";
import { type Query, query } from "./query.ts";

/** Takes the texts of these properties out of the blocks that contain a row. */
export type Unseal = (row: RowId, properties: readonly string[]) => void;

/** Rows whose block is known to have no texts: from one place to the end of the block. */
interface Unsealed {
  readonly from: RowPlace;
  /** Undefined if no block follows. */
  readonly to: RowPlace | undefined;
}

/**
 * Prepares the statements. Each function that is returned is for one transaction: it remembers the
 * last block of each column, so that it asks once for rows of a block that follow one another.
 */
export function createUnsealing(db: DatabaseSync): (workspace: string) => Unseal {
  const block: Query<[time: number, id: string, isSealed: number]> = query(
    db,
    `SELECT last_time, last_id, texts IS NOT NULL FROM text_blocks
    WHERE workspace_id = ?1 AND database_id = ?2 AND property_id = ?3
      AND (last_time, last_id) >= (?4, ?5)
    ORDER BY last_time, last_id LIMIT 1`,
  );
  const unseal = db.prepare(`
    UPDATE text_blocks SET has_long = 0, texts = NULL
    WHERE workspace_id = ?1 AND database_id = ?2 AND property_id = ?3
      AND last_time = ?4 AND last_id = ?5
  `);
  return (workspace) => {
    const known = new Map<string, Unsealed>();
    return ({ id, databaseId, createdTime }, properties) => {
      const place: RowPlace = [createdTime, id];
      for (const propertyId of properties) {
        const column = `${databaseId} ${propertyId}`;
        if (contains(known.get(column), place)) continue;
        const [time, last, isSealed] = block.get(workspace, databaseId, propertyId, ...place) ?? [];
        const to: RowPlace | undefined = time === undefined || last === undefined
          ? undefined
          : [time, last];
        if (to !== undefined && isSealed === 1) {
          unseal.run(workspace, databaseId, propertyId, ...to);
        }
        known.set(column, { from: place, to });
      }
    };
  };
}

function contains(unsealed: Unsealed | undefined, place: RowPlace): boolean {
  return unsealed !== undefined && !isBefore(place, unsealed.from) &&
    (unsealed.to === undefined || !isBefore(unsealed.to, place));
}

function isBefore([time, id]: RowPlace, [otherTime, otherId]: RowPlace): boolean {
  return time < otherTime || time === otherTime && id < otherId;
}
