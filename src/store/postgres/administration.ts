/**
 * The changes of an operator in a PostgreSQL database, a slice at a time.
 *
 * @module
 */
import type { Administration } from "../port.ts";
import { createPurgePlans, type RemoveWords } from "../admin/purge.ts";
import { createSealing } from "../admin/text_blocks.ts";
import { createUserPlans } from "../admin/users.ts";
import { createWorkspacePlans } from "../admin/workspaces.ts";
import type { ReadPlan } from "../reads/query.ts";
import type { WritingMethod } from "../writing.ts";
import type { Connection } from "./connection.ts";
import { query, type Session, statement } from "./query.ts";
import { read, SOURCE } from "./reader.ts";
import { indexName } from "./vectors/extend.ts";
import { reanalyseSlice } from "./search/reanalysis.ts";
import { lockWorkspace } from "./workspace_lock.ts";

/** The methods that write. */
export type AdministrationWrites = Pick<
  Administration,
  Extract<keyof Administration, WritingMethod>
>;

/** Terms are a column of the parts. */
const removeWords: RemoveWords = function* () {
  yield [];
};

const users = createUserPlans(SOURCE);
const purge = createPurgePlans(SOURCE, removeWords);
const seal = createSealing(SOURCE);
const workspaces = createWorkspacePlans(SOURCE, { removeWords, more: [] });

/** Each method is one transaction, in the turn of its workspace. */
export function createAdministration(connection: Connection): AdministrationWrites {
  const { transaction } = connection;
  const inTurn = <Args extends unknown[], T>(
    plan: (workspace: string, ...args: Args) => ReadPlan<T>,
  ) =>
  (workspace: string, ...args: Args): Promise<T> =>
    transaction(
      async (session) => {
        await lockWorkspace(session, workspace);
        return await read(session, plan(workspace, ...args));
      },
      undefined,
      workspace,
    );
  const deleteSlice = inTurn(workspaces.deleteSlice);
  return {
    eraseUser: inTurn(users.erase),
    allowUser: inTurn(users.allow),
    eraseReceipts: inTurn(users.eraseReceipts),
    deleteWorkspaceSlice: async (workspace, limit) =>
      await deleteSlice(workspace, limit) ||
      await transaction((session) => deleteVectorIndex(session, workspace, limit)),
    beginPurge: inTurn(purge.begin),
    purgeSlice: inTurn(purge.slice),
    expireReceipts: inTurn(workspaces.expireReceipts),
    reanalyseSlice: () => reanalyseSlice(connection),
    sealTexts: (column, sizes) =>
      transaction(
        async (session) => {
          await lockWorkspace(session, column.workspace);
          return await read(session, seal(column, sizes));
        },
        undefined,
        column.workspace,
      ),
    mergeWords: () => Promise.resolve(false),
    reclaimSpace: () => Promise.resolve(false),
  };
}

const hasVectorIndex = query<[boolean]>("SELECT to_regclass('search_indexes') IS NOT NULL");
const spaces = query<[number]>(
  "SELECT space FROM search_indexes WHERE workspace_id = $1 ORDER BY space LIMIT 1",
);
const removeRows = statement(`
  DELETE FROM search_near WHERE workspace_id = $1 AND (space, page_id, passage) IN (
    SELECT space, page_id, passage FROM search_near WHERE workspace_id = $1 AND space = $2 LIMIT $3
  )
`);
const removeIndex = statement("DELETE FROM search_indexes WHERE workspace_id = $1 AND space = $2");

/** Deletes up to `limit` rows of an index of vectors, the index itself first; returns how many. */
async function deleteVectorIndex(
  session: Session,
  workspace: string,
  limit: number,
): Promise<number> {
  const [isThere = false] = await hasVectorIndex.get(session) ?? [];
  const [space] = isThere ? await spaces.get(session, workspace) ?? [] : [];
  if (space === undefined) return 0;
  await session.send(`DROP INDEX IF EXISTS ${indexName(workspace, space)}`, []);
  const count = await removeRows(session, workspace, space, limit);
  return count > 0 ? count : await removeIndex(session, workspace, space);
}
