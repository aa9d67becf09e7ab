/**
 * The vector spaces of workspaces.
 *
 * @module
 */
import type { NewSpace, VectorSpace } from "../../port.ts";
import { ASKED_FOR } from "../../search_due.ts";
import type { Connection } from "../connection.ts";
import { query, statement } from "../query.ts";
import { lockWorkspace } from "../workspace_lock.ts";

type Row = readonly [
  number: number,
  embedder: string,
  parts: number,
  isFilled: boolean,
  isComplete: boolean,
  dimensions: number | null,
];

const workspaces = query<[string]>("SELECT workspace_id FROM search_workspaces");
const all = query<Row>(`
  SELECT number, embedder, parts, filled_to IS NULL, complete, dimensions
  FROM search_spaces WHERE workspace_id = $1 ORDER BY number
`);
const add = statement(`
  INSERT INTO search_spaces (
    workspace_id, number, embedder, model, parts, dimensions, filled_to, complete, sequence
  ) VALUES ($1, $2, $3, $4, $5, $6, '', false, 0)
  ON CONFLICT DO NOTHING
`);
const learnt = query<[Uint8Array | null]>(
  "SELECT model FROM search_spaces WHERE workspace_id = $1 AND number = $2",
);
const complete = statement(
  "UPDATE search_spaces SET complete = true WHERE workspace_id = $1 AND number = $2",
);
const forget = statement("DELETE FROM search_spaces WHERE workspace_id = $1 AND number < $2");
const reached = query<[string | null]>(
  "SELECT filled_to FROM search_spaces WHERE workspace_id = $1 AND number = $2",
);
const next = query<[string]>(`
  SELECT id FROM nodes WHERE workspace_id = $1 AND id > $2 AND kind = 'page'
  ORDER BY id LIMIT $3
`);
// Pages in the queue already came after the space was created, or are being indexed for it.
const mark = statement(`
  INSERT INTO search_due (workspace_id, page_id, change, leased_until)
  SELECT $1, id, 1, ${ASKED_FOR} FROM unnest($3::text[]) wanted (id)
  WHERE NOT EXISTS (
    SELECT 1 FROM search_vectors v
    WHERE v.workspace_id = $1 AND v.space = $2 AND v.page_id = wanted.id
  )
  ON CONFLICT DO NOTHING
`);
const move = statement(
  "UPDATE search_spaces SET filled_to = $3 WHERE workspace_id = $1 AND number = $2",
);

export interface SpaceTable {
  searchedWorkspaces(): Promise<string[]>;
  spaces(workspace: string): Promise<VectorSpace[]>;
  addSpace(workspace: string, space: NewSpace): Promise<boolean>;
  model(workspace: string, number: number): Promise<Uint8Array | undefined>;
  fillSpace(workspace: string, number: number, limit: number): Promise<number>;
  completeSpace(workspace: string, number: number): Promise<void>;
}

/** Creates the reads and writes of vector spaces. */
export function createSpaceTable({ session, transaction }: Connection): SpaceTable {
  return {
    searchedWorkspaces: async () => (await workspaces.all(session)).map(([workspace]) => workspace),
    spaces: async (workspace) => (await all.all(session, workspace)).map(toSpace),
    addSpace: (workspace, { number, embedder, parts, dimensions = null, model = null }) =>
      transaction(async (session) =>
        await add(session, workspace, number, embedder, model, parts, dimensions) === 1
      ),
    model: async (workspace, number) =>
      (await learnt.get(session, workspace, number))?.[0] ?? undefined,
    fillSpace: (workspace, number, limit) =>
      transaction(
        async (session) => {
          const [, [after = null] = []] = await Promise.all([
            lockWorkspace(session, workspace),
            reached.get(session, workspace, number),
          ]);
          if (after === null) return 0;
          const ids = (await next.all(session, workspace, after, limit)).map(([id]) => id);
          await Promise.all([
            mark(session, workspace, number, ids),
            move(session, workspace, number, ids.at(-1) ?? null),
          ]);
          return ids.length;
        },
        undefined,
        workspace,
      ),
    completeSpace: (workspace, number) =>
      transaction(async (session) => {
        await Promise.all([
          complete(session, workspace, number),
          forget(session, workspace, number),
        ]);
      }),
  };
}

function toSpace(
  [number, embedder, parts, isFilled, isComplete, dimensions]: Row,
): VectorSpace {
  return {
    number,
    embedder,
    parts,
    isFilled,
    isComplete,
    dimensions: dimensions ?? undefined,
  };
}
