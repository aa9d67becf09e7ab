/**
 * Reading the nodes of a page or database in steps, because a page may have very many.
 *
 * @module
 */
import type { Content, ContentNode } from "../../content/schema/node.ts";
import { CONTENT_COLUMNS, type ContentRow, toContentNode } from "../reads/content.ts";
import type { Connection } from "./connection.ts";
import { type Query, query } from "./query.ts";
import { inOneStep, runSteps, type Steps } from "./steps.ts";

/** Nodes that one statement reads; limits the time of one. */
const PORTION = 500;
/** How often a page that changes meanwhile is read in steps; then it is read in one. */
const ATTEMPTS = 3;

type Portion = readonly [...ContentRow, rowid: number];

export type ReadContent = (workspace: string, id: string) => Promise<Content | undefined>;

/** Replace the limits, and how steps are run; they do not change the results. */
export interface ContentReaderOptions {
  readonly portion?: number;
  readonly run?: typeof runSteps;
}

/** Prepares the statements that read the nodes of a page or database, all of one version. */
export function createContentReader(
  connection: Connection,
  { portion: limit = PORTION, run = runSteps }: ContentReaderOptions = {},
): ReadContent {
  const { db } = connection;
  const container: Query<[version: number, trashRoot: string | null]> = query(
    db,
    "SELECT version, trash_root FROM nodes WHERE workspace_id = ? AND id = ? AND kind <> 'block'",
  );
  const within = `FROM nodes n INDEXED BY nodes_in_container
    WHERE n.workspace_id = ?1 AND n.container_id = ?2 AND n.trash_root IS ?3`;
  const portion: Query<Portion> = query(
    db,
    `SELECT ${CONTENT_COLUMNS}, n.rowid ${within} AND n.has_mentions = ?4 AND n.rowid > ?5
    ORDER BY n.rowid LIMIT ${limit}`,
  );
  const count: Query<[number]> = query(db, `SELECT count(*) ${within}`);

  /** Reads the nodes of a container; undefined if one is missing that changed meanwhile. */
  function* nodesOf(
    workspace: string,
    id: string,
    trashRoot: string | null,
  ): Steps<ContentNode[] | undefined> {
    const nodes = new Map<string, ContentNode>();
    for (const hasMentions of [0, 1]) {
      for (let last: number | undefined = 0; last !== undefined;) {
        const rows: Portion[] = portion.all(workspace, id, trashRoot, hasMentions, last);
        for (const row of rows) nodes.set(row[0], toContentNode(row));
        last = rows.length === limit ? rows.at(-1)?.[9] : undefined;
        yield;
      }
    }
    const [all = 0] = count.get(workspace, id, trashRoot) ?? [];
    return all === nodes.size ? [...nodes.values()] : undefined;
  }

  function* contentOf(workspace: string, id: string): Steps<Content | undefined> {
    for (let attempt = 1;; attempt++) {
      const before = container.get(workspace, id);
      if (before === undefined) return undefined;
      const [version, trashRoot] = before;
      const steps = nodesOf(workspace, id, trashRoot);
      const nodes = yield* attempt > ATTEMPTS ? inOneStep(steps) : steps;
      const after = container.get(workspace, id);
      if (nodes !== undefined && after?.[0] === version) return { version, nodes };
    }
  }
  return (workspace, id) => run(connection, contentOf(workspace, id));
}
