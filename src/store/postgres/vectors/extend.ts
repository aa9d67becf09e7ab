/**
 * Making the index of a space, and bringing it up to date: first its rows, then the index over
 * them, then row by row what is saved.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { SavedVectors } from "../../port.ts";
import type { Connection } from "../connection.ts";
import { query, type Session, statement } from "../query.ts";
import { saved, toVectors } from "../search/vectors.ts";
import { directionOf, MOST_DIMENSIONS, textOf } from "./direction.ts";

/** Pages of one transaction: some seconds if the index exists. */
const BATCH = 100;

// To make an index keeps everybody else from writing rows of any; so one process does so at a time.
const turn = query<[boolean]>(
  "SELECT pg_try_advisory_xact_lock(hashtextextended('recto vectors ' || current_schema(), 0))",
);
const state = query<[dimensions: number, reach: number, ready: boolean]>(
  "SELECT dimensions, reach, ready FROM search_indexes WHERE workspace_id = $1 AND space = $2",
);
const size = query<[number]>(
  "SELECT vectors FROM search_spaces WHERE workspace_id = $1 AND number = $2",
);
const width = query<[number]>(`
  SELECT length(vectors) / json_array_length(blocks::json) FROM search_vectors
  WHERE workspace_id = $1 AND space = $2 AND length(vectors) > 0 LIMIT 1
`);
const begin = statement(`
  INSERT INTO search_indexes (workspace_id, space, dimensions, reach, ready)
  VALUES ($1, $2, $3, 0, false)
`);
const clear = statement(`
  DELETE FROM search_near WHERE workspace_id = $1 AND space = $2 AND page_id = ANY ($3::text[])
`);
const add = (schema: string) =>
  statement(`
    INSERT INTO search_near (workspace_id, space, page_id, passage, direction)
    SELECT $1, $2, fresh.id, fresh.passage, fresh.direction::${schema}.halfvec
    FROM json_to_recordset($3::json) AS fresh (id text, passage integer, direction text)
  `);
const move = statement(
  "UPDATE search_indexes SET reach = $3 WHERE workspace_id = $1 AND space = $2",
);
const finish = statement(
  "UPDATE search_indexes SET ready = true WHERE workspace_id = $1 AND space = $2",
);
const definition = query<[string]>(`
  SELECT format(
    'CREATE INDEX %I ON search_near USING hnsw ((direction::%s) %s) WHERE workspace_id = %L AND space = %L',
    $1::text, $2::text, $3::text, $4::text, $5::integer
  )
`);

/**
 * Removes the time limit for the rest of the transaction, but stops when the client disconnects.
 */
const UNHURRIED = `
  SET LOCAL statement_timeout = 0;
  SET LOCAL client_connection_check_interval = '5s'
`;

export interface ExtendOptions {
  readonly schema: string;
  /** Maximum number of vectors in a space that is scanned without an index. */
  readonly mostScanned: number;
}

/**
 * Does the next step for a space. Returns false if nothing is left or another process is working on
 * it.
 */
export async function extendIndex(
  { transaction }: Connection,
  { schema, mostScanned }: ExtendOptions,
  ...[workspace, space]: [workspace: string, space: number]
): Promise<boolean> {
  return await transaction(async (session) => {
    const [[isMine = false] = [], known] = await Promise.all([
      turn.get(session),
      state.get(session, workspace, space),
    ]);
    if (!isMine) return false;
    if (known === undefined) return await beginIndex(session, { workspace, space, mostScanned });
    const [dimensions, reach, isReady] = known;
    const next = await saved.all(session, workspace, space, reach, BATCH);
    if (next.length > 0) {
      await addRows(session, { workspace, space, schema, pages: next.map(toVectors) });
      return true;
    }
    if (isReady) return false;
    await makeIndex(session, { workspace, space, schema, dimensions });
    return true;
  });
}

interface Beginning {
  readonly workspace: string;
  readonly space: number;
  readonly mostScanned: number;
}

/** Starts the index of a space that is large enough. Returns whether it is. */
async function beginIndex(
  session: Session,
  { workspace, space, mostScanned }: Beginning,
): Promise<boolean> {
  const [vectors = 0] = await size.get(session, workspace, space) ?? [];
  if (vectors <= mostScanned) return false;
  const [dimensions = 0] = await width.get(session, workspace, space) ?? [];
  if (dimensions === 0 || dimensions > MOST_DIMENSIONS) return false;
  await begin(session, workspace, space, dimensions);
  return true;
}

interface Addition {
  readonly workspace: string;
  readonly space: number;
  readonly schema: string;
  readonly pages: readonly SavedVectors[];
}

async function addRows(
  session: Session,
  { workspace, space, schema, pages }: Addition,
): Promise<void> {
  await Promise.all([
    clear(session, workspace, space, pages.map(({ id }) => id)),
    add(schema)(session, workspace, space, pages.flatMap(rowsOf)),
    move(session, workspace, space, pages.at(-1)?.sequence ?? 0),
  ]);
}

function rowsOf({ id, blocks, vectors }: SavedVectors): object[] {
  const dimensions = vectors.length / blocks.length;
  return blocks.map((_, passage) => {
    const bytes = vectors.slice(passage * dimensions, (passage + 1) * dimensions);
    return { id, passage, direction: textOf(new Int8Array(bytes.buffer)) };
  });
}

interface Making {
  readonly workspace: string;
  readonly space: number;
  readonly schema: string;
  readonly dimensions: number;
}

async function makeIndex(
  session: Session,
  { workspace, space, schema, dimensions }: Making,
): Promise<void> {
  const { type, operators } = directionOf(schema, dimensions);
  const name = indexName(workspace, space);
  const [text = ""] = await definition.get(session, name, type, operators, workspace, space) ?? [];
  await session.send(`${UNHURRIED}; DROP INDEX IF EXISTS ${name}`, []);
  await session.send(text, []);
  await finish(session, workspace, space);
}

/** Returns the name of a space's index: a hash, because names are limited to 63 characters. */
export function indexName(workspace: string, space: number): string {
  const name = createHash("sha256").update(JSON.stringify([workspace, space])).digest("hex");
  return `search_near_${name.slice(0, 32)}`;
}
