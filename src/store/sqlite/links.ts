/**
 * Writing links between rows: both sides of a relation share one set of links.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import type { DatabaseChange } from "../../content/schema/node.ts";
import { runToEnd, SLICE } from "./slices.ts";

type Of<Op extends DatabaseChange["op"]> = Extract<DatabaseChange, { readonly op: Op }>;

export interface LinkWriter {
  link(workspace: string, change: Of<"link">): void;
  unlink(workspace: string, change: Of<"unlink">): void;
}

/** Prepares the statements that change links. */
export function createLinkWriter(db: DatabaseSync): LinkWriter {
  const drop = (mine: string, theirs: string) =>
    db.prepare(`
      DELETE FROM links WHERE workspace_id = ?1 AND relation_id = ?2 AND ${mine} = ?3
        AND ${theirs} NOT IN (SELECT value FROM json_each(?4))
    `);
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
  return {
    link(workspace, { relationId, side, id, others }) {
      const values = [workspace, relationId, id, JSON.stringify([...new Set(others)])] as const;
      sides[side].drop.run(...values);
      sides[side].add.run(...values);
    },
    unlink: (workspace, { relationId }) => runToEnd(clear, workspace, relationId),
  };
}
