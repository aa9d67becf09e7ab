/**
 * Reading what belongs to the rows of databases: links between them, the keys of their fields, and
 * the last number given.
 *
 * @module
 */
import type { RowPlace } from "../../content/schema/database.ts";
import type { KeyQuery, LinkQuery, PlaceQuery, SeveralLinksQuery } from "../port.ts";
import type { Query, ReadPlan, Source } from "./query.ts";

/** Number of links that one question reads at most. */
const SLICE = 500;

type LinkRow = readonly [id: string, other: string, ordinal: number, trashRoot: string | null];

/** One link of a row, in or outside the trash at its other end. */
export interface Link {
  readonly id: string;
  readonly other: string;
  /** Position among the links of the row on the side `from`. */
  readonly ordinal: number;
  /** The page or database with which the row at the other end is in the trash. */
  readonly trashRoot: string | null;
}

/** A row on one side of a relation. */
export interface LinkedRow extends Omit<LinkQuery, "ids" | "restored"> {
  readonly id: string;
  /** Only links to rows with greater IDs. */
  readonly after: string;
}

export interface RowReads {
  /**
   * All links of these rows, in arbitrary order; undefined if they are too many for one question.
   */
  fewLinks(workspace: string, query: LinkQuery): ReadPlan<readonly Link[] | undefined>;
  /** The next links of one row, by the ID at the other end; the last ones if `isLast`. */
  nextLinks(
    workspace: string,
    row: LinkedRow,
  ): ReadPlan<{ readonly links: readonly Link[]; readonly isLast: boolean }>;
  severallyLinked(workspace: string, query: SeveralLinksQuery): ReadPlan<string[]>;
  distinctKeys(workspace: string, query: KeyQuery): ReadPlan<string[]>;
  rowPlaces(workspace: string, query: PlaceQuery): ReadPlan<RowPlace[]>;
  lastNumber(workspace: string, databaseId: string): ReadPlan<number>;
}

/** Declares the statements that read links and counters. */
export function createRowReads(source: Source): RowReads {
  const { dialect, query } = source;
  // Else SQLite reads all links of the relation on this side, because the index lacks the ordinal.
  const back = dialect.indexed("links l", "links_back");
  const columns = (mine: string, theirs: string) =>
    `l.${mine}, l.${theirs}, l.ordinal, n.trash_root`;
  const joined = (theirs: string) =>
    `l.workspace_id = $1 AND l.relation_id = $2 AND n.workspace_id = $1 AND n.id = l.${theirs}`;
  const few = (links: string, mine: string, theirs: string): Query<LinkRow> =>
    query(
      `SELECT ${columns(mine, theirs)} ${
        dialect.listed(`${links} CROSS JOIN nodes n`, `l.${mine}`, "$3")
      }
        AND ${joined(theirs)} LIMIT ${SLICE + 1}`,
    );
  const next = (links: string, mine: string, theirs: string): Query<LinkRow> =>
    query(
      `SELECT ${columns(mine, theirs)} FROM ${links} CROSS JOIN nodes n
      WHERE ${joined(theirs)} AND l.${mine} = $3 AND l.${theirs} > $4
      ORDER BY l.${theirs} LIMIT ${SLICE}`,
    );
  const fewOn = {
    from: few("links l", "from_id", "to_id"),
    to: few(back, "to_id", "from_id"),
  };
  const nextOn = {
    from: next("links l", "from_id", "to_id"),
    to: next(back, "to_id", "from_id"),
  };
  const places = query<[id: string, createdTime: number]>(
    `SELECT n.id, n.created_time FROM ${dialect.indexed("nodes n", "rows_by_created_time")}
    WHERE n.workspace_id = $1 AND n.parent_id = $2 AND n.parent_kind = 'database'
      AND n.kind = 'page' AND (n.created_time, n.id) > ($3, $4)
    ORDER BY n.created_time, n.id LIMIT $5`,
  );
  const several = query<[string]>(
    `SELECT c.row_id FROM link_counts c
    WHERE c.workspace_id = $1 AND c.relation_id = $2 AND c.side = $3 AND c.count = 2
    ORDER BY c.row_id LIMIT $4`,
  );
  const last = query<[number]>(
    "SELECT last_number FROM counters WHERE workspace_id = $1 AND database_id = $2",
  );
  return {
    *fewLinks(workspace, { relationId, side, ids }) {
      const found = yield* fewOn[side].all([workspace, relationId, ids], toLink);
      return found.length > SLICE ? undefined : found;
    },
    *nextLinks(workspace, { relationId, side, id, after }) {
      const found = yield* nextOn[side].all([workspace, relationId, id, after], toLink);
      return { links: found, isLast: found.length < SLICE };
    },
    severallyLinked: (workspace, { relationId, side, limit }) =>
      several.all([workspace, relationId, side, limit], ([id]) => id),
    distinctKeys: createKeyRead(source),
    rowPlaces(workspace, { databaseId, after, limit }) {
      const { createdTime, id } = after ?? { createdTime: Number.MIN_SAFE_INTEGER, id: "" };
      return places.all(
        [workspace, databaseId, createdTime, id, limit],
        ([id, createdTime]) => ({ id, createdTime }),
      );
    },
    *lastNumber(workspace, databaseId) {
      return (yield* last.first([workspace, databaseId], ([number]) => number)) ?? 0;
    },
  };
}

/** The keys of a field in the order of an index, without those of other fields. */
interface KeyIndex {
  readonly table: string;
  readonly where: string;
  /** The columns of the index behind those; the last one is the key. */
  readonly columns: readonly string[];
  /** The parameter behind those of `where`. */
  readonly limit: string;
}

/**
 * Declares the statements that step from one key of a field to the next, over all rows that have
 * it.
 */
function createKeyRead({ dialect, query }: Source): RowReads["distinctKeys"] {
  const read = ({ table, where, columns, limit }: KeyIndex): Query<[string]> => {
    const key = columns.at(-1);
    const next = (before: string) =>
      `SELECT ${key} FROM ${table} WHERE ${where} AND ${key} > ${before}
      ORDER BY ${columns.join(", ")} LIMIT 1`;
    return query(`
      WITH RECURSIVE found (key) AS (
        SELECT (${next("''")})
        UNION ALL
        SELECT (${next("found.key")}) FROM found WHERE found.key IS NOT NULL
      )
      SELECT key FROM found WHERE key IS NOT NULL LIMIT ${limit}
    `);
  };
  const cells = read({
    table: dialect.indexed("cells d", "cells_by_value"),
    where: `d.workspace_id = $1 AND d.database_id = $2 AND d.property_id = $3
      AND d.number IS NULL`,
    columns: ["d.number", "d.key"],
    limit: "$4",
  });
  const member = (column: string) =>
    read({
      table: dialect.indexed("nodes n", `rows_by_${column}`),
      where: `n.workspace_id = $1 AND n.parent_id = $2
        AND n.parent_kind = 'database' AND n.kind = 'page'`,
      columns: [`n.${column}`],
      limit: "$3",
    });
  const members = { createdBy: member("created_by"), editedBy: member("edited_by") };
  const links = (column: string) =>
    read({
      table: "links l",
      where: "l.workspace_id = $1 AND l.relation_id = $2",
      columns: [`l.${column}`],
      limit: "$3",
    });
  // Conditions on the rows at the other end.
  const others = { from: links("to_id"), to: links("from_id") };
  const toKey = ([key]: readonly [string]) => key;
  return (workspace, { databaseId, field, limit }) => {
    switch (field.kind) {
      case "cells":
        return cells.all([workspace, databaseId, field.propertyId, limit], toKey);
      case "row":
        return members[field.member].all([workspace, databaseId, limit], toKey);
      case "links":
        return others[field.side].all([workspace, field.relationId, limit], toKey);
    }
  };
}

function toLink([id, other, ordinal, trashRoot]: LinkRow): Link {
  // PostgreSQL stores an empty text for rows outside the trash.
  return { id, other, ordinal, trashRoot: trashRoot || null };
}
