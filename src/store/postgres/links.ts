/**
 * Links between rows: one set for a relation, whichever end it is seen from.
 *
 * @module
 */
import type { LinkSide } from "../../content/databases/schema.ts";
import type { DatabaseChange } from "../../content/node.ts";
import type { LinkQuery } from "../port.ts";
import { type Query, query, type Session, type Statement, statement } from "./query.ts";

type Pair = readonly [id: string, other: string];

/** Of each of these rows that has any the living rows at the other end, in order. */
export async function readLinks(
  on: Session,
  workspace: string,
  { relationId, side, ids }: LinkQuery,
): Promise<Map<string, string[]>> {
  const pairs = await linked[side].all(on, workspace, relationId, [...new Set(ids)]);
  const grouped = Map.groupBy(pairs, ([id]) => id);
  return new Map([...grouped].map(([id, own]) => [id, own.map(([, other]) => other)]));
}

function linkedBy(mine: string, theirs: string, order: string): Query<Pair> {
  return query(`
    SELECT l.${mine}, l.${theirs} FROM links l
    JOIN nodes n ON n.workspace_id = l.workspace_id AND n.id = l.${theirs}
    WHERE l.workspace_id = $1 AND l.relation_id = $2 AND l.${mine} = ANY ($3::text[])
      AND n.trash_root = ''
    ORDER BY ${order}
  `);
}

const linked: Readonly<Record<LinkSide, Query<Pair>>> = {
  from: linkedBy("from_id", "to_id", "l.ordinal, l.to_id"),
  to: linkedBy("to_id", "from_id", "l.from_id"),
};

type Of<Op extends DatabaseChange["op"]> = Extract<DatabaseChange, { readonly op: Op }>;

/** Links the row with these others, and with none besides. */
export async function link(
  on: Session,
  workspace: string,
  { relationId, side, id, others }: Of<"link">,
): Promise<void> {
  const values = [workspace, relationId, id, [...new Set(others)]] as const;
  await Promise.all([drop[side](on, ...values), add[side](on, ...values)]);
}

function dropBy(mine: string, theirs: string): Statement {
  return statement(`
    DELETE FROM links WHERE workspace_id = $1 AND relation_id = $2 AND ${mine} = $3
      AND ${theirs} <> ALL ($4::text[])
  `);
}

const drop: Readonly<Record<LinkSide, Statement>> = {
  from: dropBy("from_id", "to_id"),
  to: dropBy("to_id", "from_id"),
};

const add: Readonly<Record<LinkSide, Statement>> = {
  from: statement(`
    INSERT INTO links AS l (workspace_id, relation_id, from_id, to_id, ordinal)
    SELECT $1, $2, $3, w.id, w.ordinal - 1
    FROM unnest($4::text[]) WITH ORDINALITY w (id, ordinal)
    ON CONFLICT (workspace_id, relation_id, from_id, to_id) DO UPDATE
    SET ordinal = excluded.ordinal WHERE l.ordinal <> excluded.ordinal
  `),
  // Behind what those rows show already: their own order stays.
  to: statement(`
    INSERT INTO links (workspace_id, relation_id, from_id, to_id, ordinal)
    SELECT $1, $2, w.id, $3, (
      SELECT coalesce(max(l.ordinal), -1) + 1 FROM links l
      WHERE l.workspace_id = $1 AND l.relation_id = $2 AND l.from_id = w.id
    )
    FROM unnest($4::text[]) w (id)
    ON CONFLICT (workspace_id, relation_id, from_id, to_id) DO NOTHING
  `),
};

/** Takes all links of a relation. */
export async function unlink(
  on: Session,
  workspace: string,
  { relationId }: Of<"unlink">,
): Promise<void> {
  await clear(on, workspace, relationId);
}

const clear = statement("DELETE FROM links WHERE workspace_id = $1 AND relation_id = $2");
