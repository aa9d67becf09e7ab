/**
 * Deleting nodes for good, slice by slice.
 *
 * A slice deletes nodes that have nothing below them. So at each moment every node that is left has
 * its parent, and a purge that was interrupted goes on where it stopped.
 *
 * @module
 */
import type { PurgeEdit } from "../port.ts";
import type { Flag } from "../reads/node_row.ts";
import type { ReadPlan, Source } from "../reads/query.ts";
import { createLinkCounter, OTHER_SIDE } from "./link_counts.ts";
import { createUnsealing } from "./text_blocks.ts";
import { WRITTEN } from "../search_due.ts";

/** Removes words of these parts from an index outside of `search_parts`. */
export type RemoveWords = (nos: readonly number[]) => ReadPlan<unknown>;

export interface PurgePlans {
  begin(workspace: string, id: string, edit: PurgeEdit): ReadPlan<boolean>;
  slice(workspace: string, id: string, limit: number): ReadPlan<number>;
}

/** Declares the statements of a purge. */
export function createPurgePlans(source: Source, removeWords: RemoveWords): PurgePlans {
  return { begin: createBegin(source), slice: createSlice(source, removeWords) };
}

function createBegin({ dialect, query }: Source): PurgePlans["begin"] {
  const trash = query<[]>(
    `UPDATE nodes SET trash_root = id, version = version + 1, edited_time = $3, edited_by = $4
    WHERE workspace_id = $1 AND id = $2 AND ${dialect.inState("trash_root", false)}`,
  );
  // A node in the trash by another's deletion becomes an entry of its own.
  const separate = query<[]>(
    `UPDATE nodes SET trash_root = id, version = version + 1
    WHERE workspace_id = $1 AND id = $2 AND trash_root <> id`,
  );
  const mark = query<[string]>(
    `INSERT INTO purges (workspace_id, node_id)
    SELECT workspace_id, id FROM nodes WHERE workspace_id = $1 AND id = $2
    ON CONFLICT DO NOTHING`,
  );
  const marked = query<[string]>(
    `SELECT p.node_id FROM purges p WHERE p.workspace_id = $1 AND p.node_id = $2`,
  );
  return function* (workspace, id, { time, by }) {
    const node = [workspace, id] as const;
    yield [
      trash.question([...node, time, by]),
      separate.question(node),
      mark.question(node),
    ];
    return (yield* marked.first(node, () => true)) ?? false;
  };
}

/** A node without anything below it. */
interface Leaf {
  readonly id: string;
  readonly isRow: boolean;
  readonly hasWords: boolean;
}

type ChildRow = readonly [id: string, kind: string, parentKind: string, hasChildren: Flag];

function createSlice(source: Source, removeWords: RemoveWords): PurgePlans["slice"] {
  const findLeaves = createLeafFinder(source);
  const deleteWords = createWordDeletion(source, removeWords);
  const deleteNodes = createNodeDeletion(source);
  const deleteComments = createCommentDeletion(source);
  return function* (workspace, id, limit) {
    const leaves = yield* findLeaves(workspace, id, limit);
    const paged = leaves.filter(({ hasWords }) => hasWords).map((leaf) => leaf.id);
    const parts = paged.length === 0 ? 0 : yield* deleteWords(workspace, paged, limit);
    // A long page has more parts than one slice deletes.
    if (parts === limit) return parts;
    const comments = yield* deleteComments(workspace, leaves.map((leaf) => leaf.id), limit);
    // A page may have more comments than one slice deletes.
    if (comments === limit) return parts + comments;
    yield* deleteNodes(workspace, leaves);
    return parts + comments + leaves.length;
  };
}

function createLeafFinder(
  { dialect, query }: Source,
): (workspace: string, root: string, limit: number) => ReadPlan<Leaf[]> {
  const columns = `n.id, n.kind, n.parent_kind, EXISTS (
    SELECT 1 FROM nodes c WHERE c.workspace_id = n.workspace_id AND c.parent_id = n.id
  )`;
  const root = query<ChildRow>(
    `SELECT ${columns} FROM nodes n WHERE n.workspace_id = $1 AND n.id = $2`,
  );
  const children = query<ChildRow>(
    `SELECT ${columns} ${dialect.listed("nodes n", "n.parent_id", "$2")}
      AND n.workspace_id = $1 LIMIT $3`,
  );
  return function* (workspace, id, limit) {
    const leaves: Leaf[] = [];
    let found = yield* root.all([workspace, id], (row) => row);
    for (;;) {
      const parents = found.filter(([, , , hasChildren]) => hasChildren).map(([parent]) => parent);
      leaves.push(...found.filter(([, , , hasChildren]) => !hasChildren).map(toLeaf));
      const left = limit - leaves.length;
      if (parents.length === 0 || left <= 0) return leaves;
      found = yield* children.all([workspace, parents, left], (row) => row);
    }
  };
}

function toLeaf([id, kind, parentKind]: ChildRow): Leaf {
  return {
    id,
    isRow: kind === "page" && parentKind === "database",
    hasWords: kind !== "block",
  };
}

function createWordDeletion(
  { dialect, query }: Source,
  removeWords: RemoveWords,
): (workspace: string, pages: readonly string[], limit: number) => ReadPlan<number> {
  const parts = query<[no: number, length: number]>(
    `DELETE FROM search_parts WHERE workspace_id = $1 AND no IN (
      SELECT p.no FROM search_parts p
      WHERE p.workspace_id = $1 AND ${dialect.among("p.page_id", "$2")} LIMIT $3
    ) RETURNING no, length`,
  );
  const count = query<[]>(
    "UPDATE search_workspaces SET parts = parts - $2, length = length - $3 WHERE workspace_id = $1",
  );
  return function* (workspace, pages, limit) {
    const deleted = yield* parts.all([workspace, pages, limit], (row) => row);
    const length = deleted.reduce((sum, [, one]) => sum + one, 0);
    yield* count.all([workspace, deleted.length, length], () => undefined);
    yield* removeWords(deleted.map(([no]) => no));
    return deleted.length;
  };
}

function createNodeDeletion(
  source: Source,
): (workspace: string, leaves: readonly Leaf[]) => ReadPlan<void> {
  const { dialect, query } = source;
  const of = (table: string, column: string) =>
    query<[]>(`DELETE FROM ${table} WHERE workspace_id = $1 AND ${dialect.among(column, "$2")}`);
  const [cells, counters] = [of("cells", "node_id"), of("counters", "database_id")];
  const blocks = of("text_blocks", "database_id");
  const [nodes, purges] = [of("nodes", "id"), of("purges", "node_id")];
  // The indexer finds no text there, and tells those who hold the vectors in memory.
  const due = query<[]>(
    `INSERT INTO search_due (workspace_id, page_id, change, leased_until)
    SELECT n.workspace_id, n.id, 1, ${WRITTEN} ${dialect.listed("nodes n", "n.id", "$2")}
      AND n.workspace_id = $1 AND n.kind = 'page'
    ON CONFLICT (workspace_id, page_id) DO UPDATE
    SET change = search_due.change + 1, leased_until = ${WRITTEN}`,
  );
  const deleteUses = createUseDeletion(source);
  const deleteLinks = createLinkDeletion(source);
  const unseal = createUnsealing(source);
  return function* (workspace, leaves) {
    const ids = leaves.map(({ id }) => id);
    const rows = leaves.filter(({ isRow }) => isRow).map(({ id }) => id);
    if (rows.length > 0) {
      yield* deleteLinks(workspace, rows);
      yield* unseal(workspace, rows);
    }
    yield* deleteUses(workspace, ids);
    yield [cells, blocks, counters, due, nodes, purges].map((one) =>
      one.question([workspace, ids])
    );
  };
}

/** Deletes comments on nodes; returns how many. */
function createCommentDeletion(
  source: Source,
): (workspace: string, ids: readonly string[], limit: number) => ReadPlan<number> {
  const { dialect, query } = source;
  const comments = query<[string]>(
    `DELETE FROM comments WHERE workspace_id = $1 AND id IN (
      SELECT c.id FROM comments c
      WHERE c.workspace_id = $1 AND ${dialect.among("c.node_id", "$2")} LIMIT $3
    ) RETURNING id`,
  );
  const deleteUses = createUseDeletion(source);
  return function* (workspace, ids, limit) {
    const deleted = yield* comments.all([workspace, ids, limit], ([id]) => id);
    if (deleted.length > 0) yield* deleteUses(workspace, deleted);
    return deleted.length;
  };
}

/** Files that nothing refers to any more expire at once. */
function createUseDeletion(
  { dialect, query }: Source,
): (workspace: string, ids: readonly string[]) => ReadPlan<void> {
  const uses = query<[string]>(
    `DELETE FROM upload_uses WHERE workspace_id = $1 AND ${dialect.among("node_id", "$2")}
    RETURNING upload_id`,
  );
  const release = query<[]>(
    `UPDATE uploads SET expires_time = 0
    WHERE workspace_id = $1 AND ${dialect.among("id", "$2")} AND NOT EXISTS (
      SELECT 1 FROM upload_uses s WHERE s.workspace_id = $1 AND s.upload_id = uploads.id
    )`,
  );
  return function* (workspace, ids) {
    const files = yield* uses.all([workspace, ids], ([upload]) => upload);
    if (files.length > 0) yield* release.all([workspace, files], () => undefined);
  };
}

/**
 * Declares the deletion of all links of rows. They are found by their relation: a workspace has
 * few, and a row may be at either end of each.
 */
export function createLinkDeletion(
  source: Source,
): (workspace: string, rows: readonly string[]) => ReadPlan<void> {
  const { dialect, query } = source;
  const relationsIn = (table: string) => {
    const first = (condition: string) =>
      `SELECT min(l.relation_id) FROM ${table} l WHERE l.workspace_id = $1 ${condition}`;
    return query<[string]>(`
      WITH RECURSIVE relations (id) AS (
        SELECT (${first("AND l.relation_id > ''")})
        UNION ALL
        SELECT (${first("AND l.relation_id > relations.id")}) FROM relations
        WHERE relations.id IS NOT NULL
      )
      SELECT id FROM relations WHERE id IS NOT NULL
    `);
  };
  const [linked, counted] = [relationsIn("links"), relationsIn("link_counts")];
  const remove = (mine: string, theirs: string) =>
    query<[relationId: string, other: string]>(
      `DELETE FROM links WHERE workspace_id = $1 AND ${dialect.among("relation_id", "$2")}
        AND ${dialect.among(mine, "$3")} RETURNING relation_id, ${theirs}`,
    );
  const removed = { from: remove("from_id", "to_id"), to: remove("to_id", "from_id") };
  const uncount = query<[]>(
    `DELETE FROM link_counts WHERE workspace_id = $1 AND ${dialect.among("relation_id", "$2")}
      AND side IN ('from', 'to') AND count IN (0, 2) AND ${dialect.among("row_id", "$3")}`,
  );
  const { count } = createLinkCounter(source);
  return function* (workspace, rows) {
    const ids = yield* linked.all([workspace], ([id]) => id);
    for (const side of SIDES) {
      const others = yield* removed[side].all([workspace, ids, rows], (row) => row);
      for (const [relationId, ofRelation] of Map.groupBy(others, ([id]) => id)) {
        const left = ofRelation.map(([, other]) => other);
        yield* count(workspace, { relationId, side: OTHER_SIDE[side] }, left);
      }
    }
    const relations = yield* counted.all([workspace], ([id]) => id);
    if (relations.length > 0) yield [uncount.question([workspace, relations, rows])];
  };
}

const SIDES = ["from", "to"] as const;
