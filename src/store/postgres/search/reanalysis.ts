/**
 * Brings the words of pages to the current analysis, some pages at a time, while searches go on.
 *
 * @module
 */
import { ANALYSIS } from "../../../search/text/analysis.ts";
import { isUnspaced } from "../../../search/text/segment.ts";
import type { Connection } from "../connection.ts";
import { query, type Session, statement } from "../query.ts";
import { lockWorkspace } from "../workspace_lock.ts";
import { fillPage } from "./fill.ts";
import { allParts, indexParts, saveParts } from "./parts.ts";
import { createSessionRest } from "../session_rest.ts";

/** Pages of a slice. */
const PAGES = 10;
/** Workspaces that are remembered as up to date; then all are forgotten. */
const REMEMBERED = 10_000;

const next = query<[workspace: string]>(
  "SELECT workspace_id FROM search_workspaces WHERE analysis < $1 LIMIT 1",
);
const place = query<[after: string]>(
  "SELECT analysed_to FROM search_workspaces WHERE workspace_id = $1 AND analysis < $2",
);
const pages = query<[string]>(`
  SELECT id FROM nodes WHERE workspace_id = $1 AND id > $2 AND kind <> 'block'
  ORDER BY id LIMIT ${PAGES}
`);
const move = statement("UPDATE search_workspaces SET analysed_to = $2 WHERE workspace_id = $1");
const finish = statement(
  "UPDATE search_workspaces SET analysis = $2, analysed_to = '' WHERE workspace_id = $1",
);
const outdated = query<[number]>(
  "SELECT 1 FROM search_workspaces WHERE workspace_id = $1 AND analysis < $2",
);

/**
 * Does one slice, in the turn of its workspace, so that processes share the work. Returns how many
 * pages it rewrote, and 1 where it completed a workspace; 0 if all are up to date.
 */
export async function reanalyseSlice({ session, transaction }: Connection): Promise<number> {
  const [workspace] = await next.get(session, ANALYSIS) ?? [];
  if (workspace === undefined) return 0;
  return await transaction(async (session) => {
    await lockWorkspace(session, workspace);
    // Another process may have completed it meanwhile.
    const [after] = await place.get(session, workspace, ANALYSIS) ?? [];
    if (after === undefined) return 1;
    const ids = (await pages.all(session, workspace, after)).map(([id]) => id);
    for (const id of ids) await rewrite(session, workspace, id);
    const last = ids.at(-1);
    await (last === undefined
      ? finish(session, workspace, ANALYSIS)
      : move(session, workspace, last));
    return Math.max(1, ids.length);
  });
}

async function rewrite(session: Session, workspace: string, id: string): Promise<void> {
  await fillPage(session, workspace, id);
  // A part whose text is as before may still be indexed in another way.
  const parts = (await allParts(session, workspace, [id]))
    .filter(({ title, body }) => isUnspaced(title + body));
  const changed = parts.map((part) => ({ part, before: part }));
  const rest = createSessionRest(session);
  await saveParts(session, workspace, await indexParts(workspace, changed, rest));
}

/** Creates the check whether some pages of a workspace have words of an earlier analysis. */
export function createOutdatedCheck(
  { session }: Connection,
): (workspace: string) => Promise<boolean> {
  const upToDate = new Set<string>();
  return async (workspace) => {
    if (upToDate.has(workspace)) return false;
    if (await outdated.get(session, workspace, ANALYSIS) !== undefined) return true;
    if (upToDate.size >= REMEMBERED) upToDate.clear();
    // No analysis ever becomes an earlier one.
    upToDate.add(workspace);
    return false;
  };
}
