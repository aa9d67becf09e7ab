/**
 * Writing links between rows: both sides of a relation share one set of links.
 *
 * @module
 */
import type { LinkSide } from "../../content/schema/property.ts";
import type { Applier } from "./changes/appliers.ts";
import { type Statement, statement } from "./query.ts";

const INSERT = "INSERT INTO links (workspace_id, relation_id, from_id, to_id, ordinal)";

const writers: Readonly<Record<LinkSide, { readonly drop: Statement; readonly add: Statement }>> = {
  from: {
    drop: dropLinks("from_id", "to_id"),
    add: statement(`
      ${INSERT} SELECT $1, $2, $3, other.id, other.place - 1
      FROM unnest($4::text[]) WITH ORDINALITY other (id, place)
      ON CONFLICT (workspace_id, relation_id, from_id, to_id)
      DO UPDATE SET ordinal = excluded.ordinal WHERE links.ordinal <> excluded.ordinal
    `),
  },
  to: {
    drop: dropLinks("to_id", "from_id"),
    // After the existing links of those rows, whose order stays.
    add: statement(`
      ${INSERT} SELECT $1, $2, other.id, $3, (
        SELECT coalesce(max(l.ordinal), -1) + 1 FROM links l
        WHERE l.workspace_id = $1 AND l.relation_id = $2 AND l.from_id = other.id
      ) FROM unnest($4::text[]) other (id)
      ON CONFLICT (workspace_id, relation_id, from_id, to_id) DO NOTHING
    `),
  },
};

function dropLinks(mine: string, theirs: string): Statement {
  return statement(`
    DELETE FROM links WHERE workspace_id = $1 AND relation_id = $2 AND ${mine} = $3
      AND ${theirs} <> ALL ($4::text[])
  `);
}

const clear = statement("DELETE FROM links WHERE workspace_id = $1 AND relation_id = $2");

/** Sets the rows that a relation of a row shows. */
export const link: Applier<"link"> = async (session, workspace, change) => {
  const { relationId, side, id, others } = change;
  const values = [workspace, relationId, id, [...new Set(others)]];
  const { drop, add } = writers[side];
  await Promise.all([drop(session, ...values), add(session, ...values)]);
};

/** Deletes all links of a relation. */
export const unlink: Applier<"unlink"> = async (session, workspace, { relationId }) => {
  await clear(session, workspace, relationId);
};
