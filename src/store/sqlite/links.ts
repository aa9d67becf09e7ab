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
  readonly link: StepApplier<"link">;
  readonly unlink: StepApplier<"unlink">;
  countLinks(workspace: string, change: Of<"countLinks">): void;
  readonly countAllLinks: StepApplier<"countAllLinks">;
}

/** Prepares the statements that change links. */
export function createLinkWriter(db: DatabaseSync): LinkWriter {
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
    link: createLink(db),
    *unlink(workspace, { relationId }, from) {
      if (from === undefined) yield {};
      yield* runInSteps(clear, workspace, relationId);
      yield* runInSteps(clearCounts, workspace, relationId);
    },
    countLinks: (workspace, { rows, ...side }) => run(begin(workspace, side, rows)),
    *countAllLinks(workspace, { databaseId, ...side }, from) {
      if (from === undefined) yield {};
      for (const { rows: some, last } of rows(workspace, { databaseId, after: from?.after })) {
        run(count(workspace, side, some.map(({ id }) => id)));
        yield last === undefined ? {} : { after: last };
      }
    },
  };
}

/** Prepares the statements that replace the links of a row. */
function createLink(db: DatabaseSync): LinkWriter["link"] {
  const sides = createSides(db);
  const { source, run } = createReader(db);
  const { count } = createLinkCounter(source);
  return function* (workspace, { relationId, side, id, others }, from) {
    const values = [workspace, relationId, id, JSON.stringify([...new Set(others)])] as const;
    const { dropOthers, dropSelf, add } = sides[side];
    const dropSome = () => {
      const dropped = dropOthers.all(...values).map(([other]) => other);
      run(count(workspace, { relationId, side: OTHER_SIDE[side] }, dropped));
      return dropped.length >= SLICE;
    };
    let isMore = dropSome();
    if (from === undefined) {
      // Not later: a further change of the commit may make it again.
      const self = dropSelf.all(...values).map(([other]) => other);
      add.run(...values);
      run(count(workspace, { relationId, side: OTHER_SIDE[side] }, [...self, ...others]));
    }
    while (isMore) {
      yield {};
      isMore = dropSome();
    }
    run(count(workspace, { relationId, side }, [id]));
  };
}

/** Prepares the statements that change the links of a row, for each side. */
function createSides(db: DatabaseSync) {
  const drop = (mine: string, theirs: string, which: string): Query<[string]> =>
    query(
      db,
      `DELETE FROM links WHERE workspace_id = ?1 AND relation_id = ?2 AND ${mine} = ?3
        AND ${theirs} IN (
          SELECT ${theirs} FROM links WHERE workspace_id = ?1 AND relation_id = ?2 AND ${mine} = ?3
            AND ${theirs} NOT IN (SELECT value FROM json_each(?4)) AND ${theirs} ${which} ?3
          LIMIT ${SLICE}
        )
      RETURNING ${theirs}`,
    );
  const drops = (mine: string, theirs: string) => ({
    dropOthers: drop(mine, theirs, "<>"),
    dropSelf: drop(mine, theirs, "="),
  });
  const insert = "INSERT INTO links (workspace_id, relation_id, from_id, to_id, ordinal)";
  return {
    from: {
      ...drops("from_id", "to_id"),
      add: db.prepare(`
        ${insert} SELECT ?1, ?2, ?3, value, key FROM json_each(?4) WHERE true
        ON CONFLICT DO UPDATE SET ordinal = excluded.ordinal WHERE ordinal <> excluded.ordinal
      `),
    },
    to: {
      ...drops("to_id", "from_id"),
      // After the existing links of those rows, whose order stays.
      add: db.prepare(`
        ${insert} SELECT ?1, ?2, value, ?3, (
          SELECT coalesce(max(l.ordinal), -1) + 1 FROM links l
          WHERE l.workspace_id = ?1 AND l.relation_id = ?2 AND l.from_id = value
        ) FROM json_each(?4) WHERE true ON CONFLICT DO NOTHING
      `),
    },
  };
}
