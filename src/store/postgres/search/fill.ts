/**
 * Bringing what was written without search into the index, beside requests: a search finds meanwhile
 * what is there.
 *
 * @module
 */
import { PageFull } from "../../search_parts.ts";
import type { Connection } from "../connection.ts";
import { query, type Session, statement } from "../query.ts";
import { lockWorkspace } from "../workspace_lock.ts";
import { type Note, readChanged } from "./indexer.ts";
import { savePages } from "./pages.ts";

export interface FillOptions {
  /** Told how many pages and databases this process has read so far, every few thousand and at the end. */
  readonly onProgress?: (pages: number) => void;
  /** Told why it does not go on for a while. */
  readonly onDelay?: (reason: unknown) => void;
}

export interface Filling {
  /** Settles when all that was waiting is in the index, or the filling was stopped. */
  readonly done: Promise<void>;
  /** Lets the step under way end. */
  stop(): Promise<void>;
}

/** Milliseconds until it is tried again, where the database is out of reach or may not be written. */
const DELAY = 5_000;

/** Pages of one transaction. */
const PAGES = 50;
/** Pages between two reports. */
const REPORTED = 5_000;

const waiting = query<[boolean]>(
  "SELECT EXISTS (SELECT FROM search_filling WHERE workspace_id >= '')",
);
// Processes take turns, each step once.
const next = query<[workspace: string, pageId: string]>(
  "SELECT workspace_id, page_id FROM search_filling LIMIT 1 FOR UPDATE",
);
const pages = query<[string]>(`
  SELECT id FROM nodes WHERE workspace_id = $1 AND id > $2 AND kind <> 'block'
  ORDER BY id LIMIT $3
`);
// Blocks that went to the trash with their page come back with it.
const blocks = query<[string]>(`
  SELECT n.id FROM nodes p JOIN nodes n
    ON n.workspace_id = p.workspace_id AND n.container_id = p.id AND n.trash_root = p.trash_root
  WHERE p.workspace_id = $1 AND p.id = $2 AND n.kind = 'block'
`);
const comments = query<[string]>(`
  SELECT c.id FROM comments c
  JOIN nodes p ON p.workspace_id = c.workspace_id AND p.id = c.page_id
  JOIN nodes n ON n.workspace_id = c.workspace_id AND n.id = c.node_id
    AND n.trash_root = p.trash_root
  WHERE c.workspace_id = $1 AND c.page_id = $2
`);
const move = statement("UPDATE search_filling SET page_id = $2 WHERE workspace_id = $1");
const finish = statement("DELETE FROM search_filling WHERE workspace_id = $1");

/**
 * Begins to read all pages that are waiting into the index. Each step is a transaction in the turn of
 * its workspace, so that processes share the work, none does it twice, and commits come in between.
 */
export function startFilling(connection: Connection, options: FillOptions = {}): Filling {
  const stopping = new AbortController();
  const done = persist(connection, options, stopping.signal);
  return {
    done,
    stop() {
      stopping.abort();
      return done;
    },
  };
}

async function persist(
  connection: Connection,
  options: FillOptions,
  signal: AbortSignal,
): Promise<void> {
  let reason: string | undefined;
  while (!signal.aborted) {
    try {
      return await fill(connection, options, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (String(error) !== reason) options.onDelay?.(error);
      reason = String(error);
      await pause(signal);
    }
  }
}

async function fill(
  { session, transaction }: Connection,
  { onProgress }: FillOptions,
  signal: AbortSignal,
): Promise<void> {
  // Looked at first, because to take a row writes.
  const [isWaiting] = await waiting.get(session) ?? [];
  if (!isWaiting) return;
  const report = async (pages: number): Promise<void> => {
    // How a search is planned follows from how common its words are.
    await transaction((session) => session.send("ANALYZE search_parts", []));
    onProgress?.(pages);
  };
  let pages = 0;
  while (!signal.aborted) {
    const read = await transaction(step);
    if (read === undefined) break;
    pages += read;
    if (Math.floor(pages / REPORTED) > Math.floor((pages - read) / REPORTED)) await report(pages);
  }
  if (pages > 0) await report(pages);
}

async function pause(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, DELAY);
  signal.addEventListener("abort", () => resolve(), { once: true });
  await promise;
  clearTimeout(timer);
}

/** Does one step. Returns how many pages it read; undefined if nothing is left to do. */
async function step(session: Session): Promise<number | undefined> {
  const [workspace, after] = await next.get(session) ?? [];
  if (workspace === undefined || after === undefined) return undefined;
  await lockWorkspace(session, workspace);
  const ids = (await pages.all(session, workspace, after, PAGES)).map(([id]) => id);
  for (const id of ids) {
    const inside = (await blocks.all(session, workspace, id)).map(([block]) => block);
    // Not as new: what was written since the start is in the index already.
    const commentsOfPage = (await comments.all(session, workspace, id)).map(([comment]) => comment);
    const noted = new Map<string, Note>([
      ...[id, ...inside].map((node) => [node, { isNew: false }] as const),
      ...commentsOfPage.map((comment) => [comment, { isNew: false, pageId: id }] as const),
    ]);
    try {
      await savePages(session, workspace, await readChanged(session, workspace, noted));
    } catch (error) {
      // A page that does not fit the index is not found by its words, but must not stop the start.
      if (!(error instanceof PageFull)) throw error;
    }
  }
  const last = ids.at(-1);
  await (last === undefined ? finish(session, workspace) : move(session, workspace, last));
  return ids.length;
}
