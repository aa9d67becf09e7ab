/**
 * Reading nodes.
 *
 * @module
 */
import { LIMITS } from "../../content/values/limits.ts";
import { mentionedTitle } from "../../content/values/mentions.ts";
import type { Gap } from "../../content/values/position.ts";
import type { NodeView } from "../../content/schema/node.ts";
import type { BlockVersion, ChildrenOptions, SiblingPosition } from "../port.ts";
import { type Flag, hasChildren, nodeColumns, type NodeRow, toView } from "./node_row.ts";
import type { Query, ReadPlan, Source } from "./query.ts";

/** The parent ID of nodes at the top of a workspace. */
export const TOP = "";

export interface NodeReads {
  node(workspace: string, id: string): ReadPlan<NodeView | undefined>;
  versions(workspace: string, ids: readonly string[]): ReadPlan<Map<string, number>>;
  blockVersions(workspace: string, ids: readonly string[]): ReadPlan<Map<string, BlockVersion>>;
  nodes(workspace: string, ids: readonly string[]): ReadPlan<NodeView[]>;
  firstNodes(workspace: string, ids: readonly string[]): ReadPlan<NodeView[]>;
  children(workspace: string, parentId: string, options: ChildrenOptions): ReadPlan<NodeView[]>;
  titles(workspace: string, ids: readonly string[]): ReadPlan<Map<string, string>>;
  living(workspace: string, ids: readonly string[]): ReadPlan<Set<string>>;
  below(workspace: string, ids: readonly string[], root: string): ReadPlan<Set<string>>;
  depth(workspace: string, id: string): ReadPlan<number>;
  gap(
    workspace: string,
    parentId: string | null,
    place: SiblingPosition,
  ): ReadPlan<Gap | undefined>;
}

/** Declares the statements that read nodes. */
export function createNodeReads(source: Source): NodeReads {
  const { dialect, query } = source;
  const columns = nodeColumns(dialect);
  const listed = dialect.listed("nodes n", "n.id", "$2");
  const one = query<NodeRow>(
    `SELECT ${columns} FROM nodes n WHERE n.workspace_id = $1 AND n.id = $2`,
  );
  const versions = query<[id: string, version: number]>(
    `SELECT n.id, n.version ${listed} AND n.workspace_id = $1`,
  );
  const blockVersions = query<[id: string, version: number, hasChildren: Flag]>(
    `SELECT n.id, n.version, ${hasChildren(dialect)} ${listed} AND n.workspace_id = $1`,
  );
  const several = query<NodeRow>(`SELECT ${columns} ${listed} AND n.workspace_id = $1`);
  const titles = query<[id: string, title: string]>(
    `SELECT n.id, substr(n.title, 1, ${
      LIMITS.mentionedTitle + 1
    }) ${listed} AND n.workspace_id = $1 AND n.kind <> 'block'`,
  );
  const living = query<[id: string]>(
    `SELECT n.id ${listed} AND n.workspace_id = $1 AND ${dialect.inState("n.trash_root", false)}`,
  );
  const firstNodes = dialect.pageOf(source, dialect.nodesInOrder);
  return {
    node: (workspace, id) => one.first([workspace, id], (row) => toView(workspace, row)),
    *versions(workspace, ids) {
      return new Map(yield* versions.all([workspace, ids], (row) => row));
    },
    *blockVersions(workspace, ids) {
      return new Map(
        yield* blockVersions.all([workspace, ids], ([id, version, hasChildren]) => [
          id,
          { version, hasChildren: Boolean(hasChildren) },
        ]),
      );
    },
    nodes: (workspace, ids) => several.all([workspace, ids], (row) => toView(workspace, row)),
    *firstNodes(workspace, ids) {
      if (ids.length === 0) return [];
      return yield* firstNodes(workspace, ids.length, [ids]);
    },
    children: childrenRead(source),
    *titles(workspace, ids) {
      return new Map(
        yield* titles.all([workspace, ids], ([id, title]) => [id, mentionedTitle(title)]),
      );
    },
    *living(workspace, ids) {
      return new Set(yield* living.all([workspace, ids], ([id]) => id));
    },
    below: belowRead(source),
    depth: depthRead(source),
    gap: gapRead(source),
  };
}

function childrenRead(source: Source): NodeReads["children"] {
  // Joined to the parent, so that the top of the workspace, which is no node, has no children.
  const children = source.dialect.pageOf(source, {
    from: `FROM nodes p JOIN nodes n ON n.workspace_id = p.workspace_id AND n.parent_id = p.id
        AND ${source.dialect.sameState("n.trash_root", "p.trash_root")}
      WHERE p.workspace_id = $1 AND p.id = $2 AND n.position > $3
      ORDER BY n.position LIMIT $4`,
    place: "n.position",
    parameters: 4,
  });
  return (workspace, parentId, { after = "", limit }) =>
    children(workspace, limit, [parentId, after, limit]);
}

/** Walks up, because few nodes are above one. UNION ends the walk in a damaged tree that is circular. */
function belowRead({ dialect, query }: Source): NodeReads["below"] {
  const below = query<[id: string]>(
    `WITH RECURSIVE above (id, parent_id) AS (
      SELECT n.id, n.parent_id ${dialect.listed("nodes n", "n.id", "$2")} AND n.workspace_id = $1
      UNION
      SELECT above.id, n.parent_id
      FROM above JOIN nodes n ON n.workspace_id = $1 AND n.id = above.parent_id
      WHERE above.parent_id <> $3
    )
    SELECT id FROM above WHERE parent_id = $3`,
  );
  return function* (workspace, ids, root) {
    return new Set(yield* below.all([workspace, ids, root], ([id]) => id));
  };
}

/** The limit also ends the walk in a damaged tree that is circular. */
function depthRead({ query }: Source): NodeReads["depth"] {
  const above = query<[number]>(
    `WITH RECURSIVE above (id, depth) AS (
      SELECT n.parent_id, 1 FROM nodes n WHERE n.workspace_id = $1 AND n.id = $2
      UNION ALL
      SELECT n.parent_id, above.depth + 1
      FROM above JOIN nodes n ON n.workspace_id = $1 AND n.id = above.id
      WHERE above.depth <= ${LIMITS.pageDepth}
    )
    SELECT coalesce(max(depth), 0) FROM above`,
  );
  return function* (workspace, id) {
    return (yield* above.first([workspace, id], ([depth]) => depth)) ?? 0;
  };
}

type Position = readonly [string];

/** Children in the trash keep their positions, so they count among the siblings. */
function gapRead({ query, dialect }: Source): NodeReads["gap"] {
  const siblings = "SELECT position FROM nodes WHERE workspace_id = $1 AND parent_id = $2";
  const first = query<Position>(`${siblings} ORDER BY position LIMIT 1`);
  const last = query<Position>(`${siblings} ORDER BY position DESC LIMIT 1`);
  const behind: Query<readonly [after: string, before: string | null]> = query(
    `SELECT n.position, (
      SELECT s.position FROM nodes s
      WHERE s.workspace_id = n.workspace_id AND s.parent_id = n.parent_id
        AND s.position > n.position
      ORDER BY s.position LIMIT 1
    )
    FROM nodes n WHERE n.workspace_id = $1 AND n.parent_id = $2 AND n.id = $3
      AND ${dialect.inState("n.trash_root", false)}`,
  );
  return function* (workspace, parentId, place) {
    const parent = parentId ?? TOP;
    if (place === "start") {
      return { after: null, before: (yield* first.first([workspace, parent], only)) ?? null };
    }
    if (place === "end") {
      return { after: (yield* last.first([workspace, parent], only)) ?? null, before: null };
    }
    return yield* behind.first([workspace, parent, place.after], ([after, before]) => ({
      after,
      before,
    }));
  };
}

function only([value]: Position): string {
  return value;
}
