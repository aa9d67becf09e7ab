/**
 * Rows that have no link on a side of a relation, or several. Queries find them without a look at those
 * with one, which are most rows of most relations.
 *
 * @module
 */
import type { LinkSide } from "../../content/schema/property.ts";
import type { ReadPlan, Source } from "../reads/query.ts";

/** One side of a relation. */
export interface RelationSide {
  readonly relationId: string;
  readonly side: LinkSide;
}

/** Runs in the transaction that changes links or inserts rows. */
type CountRows = (
  workspace: string,
  side: RelationSide,
  rows: readonly string[],
) => ReadPlan<void>;

export interface LinkCounter {
  /** Counts the links of new rows. */
  readonly begin: CountRows;
  /** Counts the links of these rows again. */
  readonly count: CountRows;
}

export const OTHER_SIDE = { from: "to", to: "from" } as const;

const COLUMNS = { from: "from_id", to: "to_id" } as const;

/** Declares the statements that count the links of some rows. */
export function createLinkCounter(source: Source): LinkCounter {
  const sides = { from: countsOn(source, "from"), to: countsOn(source, "to") };
  return {
    *begin(workspace, { relationId, side }, rows) {
      yield [sides[side].add.question([workspace, relationId, rows])];
    },
    *count(workspace, { relationId, side }, rows) {
      if (rows.length === 0) return;
      const { outdated, drop, add } = sides[side];
      // Most counts stay: a row has one link, or one of several more or less.
      const changed = yield* outdated.all([workspace, relationId, rows], ([id]) => id);
      if (changed.length === 0) return;
      yield [drop, add].map((one) => one.question([workspace, relationId, changed]));
    },
  };
}

/** Declares the statements that count the links of all rows of a database, in the trash too. */
export function createDatabaseLinkCounter(
  { query }: Source,
): (workspace: string, side: RelationSide, databaseId: string) => ReadPlan<void> {
  const on = (side: LinkSide) => ({
    clear: query<[]>(`DELETE FROM link_counts WHERE ${entriesOn(side)}`),
    fill: query<[]>(addedOn(
      side,
      "FROM nodes n WHERE n.parent_id = $3 AND n.parent_kind = 'database' AND n.kind = 'page'",
    )),
  });
  const sides = { from: on("from"), to: on("to") };
  return function* (workspace, { relationId, side }, databaseId) {
    const { clear, fill } = sides[side];
    yield [clear.question([workspace, relationId])];
    yield [fill.question([workspace, relationId, databaseId])];
  };
}

function countsOn({ dialect, query }: Source, side: LinkSide) {
  const rows = dialect.listed("nodes n", "n.id", "$3");
  return {
    outdated: query<[string]>(
      `SELECT n.id ${rows} AND n.workspace_id = $1 AND ${countedOn(side)} <> coalesce((
        SELECT c.count FROM link_counts c
        WHERE c.workspace_id = $1 AND c.relation_id = $2 AND c.side = '${side}'
          AND c.count IN (0, 2) AND c.row_id = n.id
      ), 1)`,
    ),
    drop: query<[]>(
      `DELETE FROM link_counts WHERE ${entriesOn(side)} AND count IN (0, 2)
        AND ${dialect.among("row_id", "$3")}`,
    ),
    add: query<[]>(addedOn(side, rows)),
  };
}

function entriesOn(side: LinkSide): string {
  return `workspace_id = $1 AND relation_id = $2 AND side = '${side}'`;
}

/** The number of links of node `n`; 2 stands for more, too. */
function countedOn(side: LinkSide): string {
  return `(SELECT count(*) FROM (
    SELECT 1 FROM links l
    WHERE l.workspace_id = $1 AND l.relation_id = $2 AND l.${COLUMNS[side]} = n.id LIMIT 2
  ) found)`;
}

function addedOn(side: LinkSide, nodes: string): string {
  return `INSERT INTO link_counts (workspace_id, relation_id, side, count, row_id)
    SELECT $1, $2, '${side}', ${countedOn(side)}, n.id ${nodes} AND n.workspace_id = $1
      AND ${countedOn(side)} <> 1
    ON CONFLICT DO NOTHING`;
}
