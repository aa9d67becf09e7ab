/**
 * Reading what belongs to the rows of databases: links between them, and the last number given.
 *
 * @module
 */
import type { LinkQuery } from "../port.ts";
import type { Query, ReadPlan, Source } from "./query.ts";

type Link = readonly [id: string, other: string];

export interface RowReads {
  links(workspace: string, query: LinkQuery): ReadPlan<Map<string, string[]>>;
  lastNumber(workspace: string, databaseId: string): ReadPlan<number>;
}

/** Declares the statements that read links and counters. */
export function createRowReads({ dialect, query }: Source): RowReads {
  const linked = (mine: string, theirs: string, order: string): Query<Link> =>
    query(
      `SELECT l.${mine}, l.${theirs}
      ${dialect.listed("links l CROSS JOIN nodes n", `l.${mine}`, "$3")}
        AND l.workspace_id = $1 AND l.relation_id = $2
        AND n.workspace_id = $1 AND n.id = l.${theirs} AND ${dialect.inState("n.trash_root", false)}
      ORDER BY ${order}`,
    );
  const sides = {
    from: linked("from_id", "to_id", "l.ordinal, l.to_id"),
    to: linked("to_id", "from_id", "l.from_id"),
  };
  const last = query<[number]>(
    "SELECT last_number FROM counters WHERE workspace_id = $1 AND database_id = $2",
  );
  return {
    *links(workspace, { relationId, side, ids }) {
      const others = new Map<string, string[]>();
      yield* sides[side].all([workspace, relationId, ids], ([id, other]) => {
        const known = others.get(id);
        if (known === undefined) others.set(id, [other]);
        else known.push(other);
      });
      return others;
    },
    *lastNumber(workspace, databaseId) {
      return (yield* last.first([workspace, databaseId], ([number]) => number)) ?? 0;
    },
  };
}
