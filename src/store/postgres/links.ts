/**
 * Writing links between rows: both sides of a relation share one set of links.
 *
 * @module
 */
import type { LinkSide } from "../../content/schema/property.ts";
import { createDatabaseLinkCounter, createLinkCounter, OTHER_SIDE } from "../admin/link_counts.ts";
import type { Applier } from "./changes/appliers.ts";
import { type Query, query, type Statement, statement } from "./query.ts";
import { read, SOURCE } from "./reader.ts";

const INSERT = "INSERT INTO links (workspace_id, relation_id, from_id, to_id, ordinal)";

interface SideWriter {
  /** Returns the other ends of dropped links. */
  readonly drop: Query<[string]>;
  readonly add: Statement;
}

const writers: Readonly<Record<LinkSide, SideWriter>> = {
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

function dropLinks(mine: string, theirs: string): Query<[string]> {
  return query(`
    DELETE FROM links WHERE workspace_id = $1 AND relation_id = $2 AND ${mine} = $3
      AND ${theirs} <> ALL ($4::text[]) RETURNING ${theirs}
  `);
}

const clear = statement("DELETE FROM links WHERE workspace_id = $1 AND relation_id = $2");
const clearCounts = statement(
  "DELETE FROM link_counts WHERE workspace_id = $1 AND relation_id = $2",
);
const { begin, count } = createLinkCounter(SOURCE);
const countAll = createDatabaseLinkCounter(SOURCE);

/** Sets the rows that a relation of a row shows. */
export const link: Applier<"link"> = async (session, workspace, change) => {
  const { relationId, side, id, others } = change;
  const values = [workspace, relationId, id, [...new Set(others)]];
  const { drop, add } = writers[side];
  const otherSide = { relationId, side: OTHER_SIDE[side] };
  const [dropped] = await Promise.all([
    drop.all(session, ...values),
    add(session, ...values),
    read(session, count(workspace, { relationId, side }, [id])),
    read(session, count(workspace, otherSide, others)),
  ]);
  await read(session, count(workspace, otherSide, dropped.map(([other]) => other)));
};

/** Deletes all links of a relation. */
export const unlink: Applier<"unlink"> = async (session, workspace, { relationId }) => {
  await Promise.all([
    clear(session, workspace, relationId),
    clearCounts(session, workspace, relationId),
  ]);
};

/** Counts the links of new rows. */
export const countLinks: Applier<"countLinks"> = (session, workspace, { rows, ...side }) =>
  read(session, begin(workspace, side, rows));

/** Counts the links of all rows of a database. */
export const countAllLinks: Applier<"countAllLinks"> = (
  session,
  workspace,
  { databaseId, ...side },
) => read(session, countAll(workspace, side, databaseId));
