/**
 * Indexes content that was written before the word index existed. Runs in the background; until it
 * finishes, searches return what is indexed so far.
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
  /**
   * Called every few thousand pages and at the end with the number this process has indexed so far.
   */
  readonly onProgress?: (pages: number) => void;
  /** Called with the error that makes indexing pause. */
  readonly onDelay?: (reason: unknown) => void;
}

export interface Filling {
  /** Settles when everything is indexed or indexing was stopped. */
  readonly done: Promise<void>;
  /** Stops after the current step. */
  stop(): Promise<void>;
}

/** Milliseconds to wait before the next attempt after an error. */
const DELAY = 5_000;

/** Pages per transaction. */
const PAGES = 50;
/** Pages between two progress reports. */
const REPORTED = 5_000;

const waiting = query<[boolean]>(
  "SELECT EXISTS (SELECT FROM search_filling WHERE workspace_id >= '')",
);
// The row lock makes processes take turns, so that no step runs twice.
const next = query<[workspace: string, pageId: string]>(
  "SELECT workspace_id, page_id FROM search_filling LIMIT 1 FOR UPDATE",
);
const pages = query<[string]>(`
  SELECT id FROM nodes WHERE workspace_id = $1 AND id > $2 AND kind <> 'block'
  ORDER BY id LIMIT $3
`);
// Includes blocks that were trashed with their page, because restoring the page restores them.
const blocks = query<[id: string, length: number]>(`
  SELECT n.id, octet_length(n.doc) FROM nodes p JOIN nodes n
    ON n.workspace_id = p.workspace_id AND n.container_id = p.id AND n.trash_root = p.trash_root
  WHERE p.workspace_id = $1 AND p.id = $2 AND n.kind = 'block'
`);
const comments = query<[id: string, length: number]>(`
  SELECT c.id, octet_length(c.doc) FROM comments c
  JOIN nodes p ON p.workspace_id = c.workspace_id AND p.id = c.page_id
  JOIN nodes n ON n.workspace_id = c.workspace_id AND n.id = c.node_id
    AND n.trash_root = p.trash_root
  WHERE c.workspace_id = $1 AND c.page_id = $2
`);
const move = statement("UPDATE search_filling SET page_id = $2 WHERE workspace_id = $1");
const finish = statement("DELETE FROM search_filling WHERE workspace_id = $1");

/**
 * Starts to index all pages that are not indexed yet. Each step is a transaction that holds the
 * workspace lock, so that processes share the work and commits run between steps.
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
  // Checked first, because locking a row is a write.
  const [isWaiting] = await waiting.get(session) ?? [];
  if (!isWaiting) return;
  const report = async (pages: number): Promise<void> => {
    // The planner needs to know how common words are.
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
  for (const id of ids) await fillPage(session, workspace, id);
  const last = ids.at(-1);
  await (last === undefined ? finish(session, workspace) : move(session, workspace, last));
  return ids.length;
}

/** Puts all words of a page into the index, which may have it already. */
export async function fillPage(session: Session, workspace: string, id: string): Promise<void> {
  const inside = await blocks.all(session, workspace, id);
  const commentsOfPage = await comments.all(session, workspace, id);
  // Not marked as new, because commits since the start may have indexed it already.
  const noted = new Map<string, Note>([
    [id, { isNew: false, length: 0 }],
    ...inside.map(([block, length]) => [block, { isNew: false, length }] as const),
    ...commentsOfPage.map(([comment, length]) =>
      [comment, { isNew: false, length, pageId: id }] as const
    ),
  ]);
  try {
    await savePages(session, workspace, await readChanged(session, workspace, noted));
  } catch (error) {
    // A page that does not fit into the index is not searchable, but must not stop the others.
    if (!(error instanceof PageFull)) throw error;
  }
}
