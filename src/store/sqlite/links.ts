/**
 * Writing links between rows: both sides of a relation share one set of links.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import type { DatabaseChange } from "../../content/schema/node.ts";
import { createLinkCounter, OTHER_SIDE } from "../admin/link_counts.ts";
import type { StepApplier } from "./changes/appliers.ts";
import { type Query, query } from "./query.ts";
import { createReader } from "./reader.ts";
import { createRowLister } from "./row_lister.ts";
import { runInSteps, SLICE } from "./slices.ts";

type Of<Op extends DatabaseChange["op"]> = Extract<DatabaseChange, { readonly op: Op }>;

export interface LinkWriter {
  link(workspace: string, change: Of<"link">): void;
  readonly unlink: StepApplier<"unlink">;
  countLinks(workspace: string, change: Of<"countLinks">): void;
  readonly countAllLinks: StepApplier<"countAllLinks">;
}

/** Prepares the statements that change links. */
export function createLinkWriter(db: DatabaseSync): LinkWriter {
  const drop = (mine: string, theirs: string): Query<[string]> =>
    query(
      db,
      `DELETE FROM links WHERE workspace_id = ?1 AND relation_id = ?2 AND ${mine} = ?3
        AND ${theirs} NOT IN (SELECT value FROM json_each(?4)) RETURNING ${theirs}`,
    );
  const insert = "INSERT INTO links (workspace_id, relation_id, from_id, to_id, ordinal)";
  const sides = {
    from: {
      drop: drop("from_id", "to_id"),
      add: db.prepare(`
        ${insert} SELECT ?1, ?2, ?3, value, key FROM json_each(?4) WHERE true
        ON CONFLICT DO UPDATE SET ordinal = excluded.ordinal WHERE ordinal <> excluded.ordinal
      `),
    },
    to: {
      drop: drop("to_id", "from_id"),
      // After the existing links of those rows, whose order stays.
      add: db.prepare(`
        ${insert} SELECT ?1, ?2, value, ?3, (
          SELECT coalesce(max(l.ordinal), -1) + 1 FROM links l
          WHERE l.workspace_id = ?1 AND l.relation_id = ?2 AND l.from_id = value
        ) FROM json_each(?4) WHERE true ON CONFLICT DO NOTHING
      `),
    },
  };
  const clear = db.prepare(`
    DELETE FROM links WHERE workspace_id = ?1 AND relation_id = ?2 AND from_id IN (
      SELECT from_id FROM links WHERE workspace_id = ?1 AND relation_id = ?2 LIMIT ${SLICE}
    )
  `);
  const clearCounts = db.prepare(`
    DELETE FROM link_counts
    WHERE workspace_id = ?1 AND relation_id = ?2 AND (side, count, row_id) IN (
      SELECT side, count, row_id FROM link_counts
      WHERE workspace_id = ?1 AND relation_id = ?2 LIMIT ${SLICE}
    )
  `);
  const { source, run } = createReader(db);
  const { begin, count } = createLinkCounter(source);
  const rows = createRowLister(db);
  return {
    link(workspace, { relationId, side, id, others }) {
      const values = [workspace, relationId, id, JSON.stringify([...new Set(others)])] as const;
      const dropped = sides[side].drop.all(...values).map(([other]) => other);
      sides[side].add.run(...values);
      run(count(workspace, { relationId, side }, [id]));
      run(count(workspace, { relationId, side: OTHER_SIDE[side] }, [...dropped, ...others]));
    },
    *unlink(workspace, { relationId }, from) {
      if (from === undefined) yield {};
      yield* runInSteps(clear, workspace, relationId);
      yield* runInSteps(clearCounts, workspace, relationId);
    },
    countLinks: (workspace, { rows, ...side }) => run(begin(workspace, side, rows)),
    *countAllLinks(workspace, { databaseId, ...side }, from) {
      if (from === undefined) yield {};
      for (const { ids, last } of rows(workspace, { databaseId, after: from?.after })) {
        run(count(workspace, side, ids));
        yield last === undefined ? {} : { after: last };
      }
    },
  };
}
