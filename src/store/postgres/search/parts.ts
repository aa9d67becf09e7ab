/**
 * Stores the parts of pages: their words, and the terms they are indexed by.
 *
 * @module
 */
import { ANALYSIS } from "../../../search/text/analysis.ts";
import { overlapSteps } from "../../../search/text/overlaps.ts";
import { partLength, segmentsOf } from "../../../search/text/parts.ts";
import { type ChangedPart, FEW, PARTS, type StoredPart, TITLED } from "../../search_parts.ts";
import type { Rest } from "../../../shared/yield_to_event_loop.ts";
import { query, type Session, statement } from "../query.ts";
import type { ChangedNodes } from "./pages.ts";
import { coded, codeOf } from "./expressions.ts";

/**
 * Maximum total size of a part's terms in bytes. PostgreSQL's limit is 1 MiB; a single block may
 * exceed it.
 */
const MOST_BYTES = 1_000_000;

const encoder = new TextEncoder();

type Row = readonly [
  no: number,
  pageId: string,
  place: string,
  title: string,
  body: string,
];

const COLUMNS = "p.no, p.page_id, p.place, p.title, p.body";

// Appended blocks only change the last part. For a few other blocks, only the parts that contain
// them are read.
const partsOf = query<Row>(`
  SELECT ${COLUMNS} FROM (
    SELECT n.page AS id, bool_and(NOT n.is_page AND n.id = ANY ($3::text[])) AS is_appended,
      bool_or(n.is_page) AS is_titled, array_agg(n.id) AS nodes
    FROM (
      SELECT CASE n.kind WHEN 'block' THEN n.container_id ELSE n.id END AS page, n.id,
        n.kind <> 'block' AS is_page
      FROM nodes n WHERE n.workspace_id = $1 AND n.id = ANY ($2::text[])
      UNION ALL
      SELECT c.page, c.id, false FROM unnest($4::text[], $5::text[]) c (page, id)
    ) n GROUP BY 1
  ) page CROSS JOIN LATERAL (
    SELECT * FROM search_parts s WHERE s.workspace_id = $1 AND s.page_id = page.id AND (
      page.is_appended OR cardinality(page.nodes) > ${FEW}
      OR s.no = (
        SELECT max(l.no) FROM search_parts l WHERE l.workspace_id = $1 AND l.page_id = page.id
      )
      OR page.is_titled AND (s.no % ${PARTS} < ${TITLED} OR s.title <> '')
      OR EXISTS (SELECT FROM unnest(page.nodes) node WHERE strpos(s.body, node || E'\\n') > 0)
    )
    ORDER BY s.no DESC LIMIT CASE WHEN page.is_appended THEN 1 END
  ) p
  ORDER BY p.no
`);
const ofPages = query<Row>(`
  SELECT ${COLUMNS} FROM search_parts p
  WHERE p.workspace_id = $1 AND p.page_id = ANY ($2::text[]) ORDER BY p.no
`);
const highest = query<[number | null]>(
  "SELECT max(no) FROM search_parts WHERE workspace_id = $1",
);
const save = statement(`
  INSERT INTO search_parts
    (workspace_id, no, page_id, place, title, body, length, terms)
  SELECT $1, no, "pageId", place, title, body, length,
    array_to_tsvector(ARRAY(SELECT json_array_elements_text(terms)))
  FROM json_to_recordset($2::json) AS fresh (
    no bigint, "pageId" text, place text, title text, body text, length integer, terms json
  )
  ON CONFLICT (workspace_id, no) DO UPDATE SET
    place = excluded.place, title = excluded.title, body = excluded.body,
    length = excluded.length, terms = excluded.terms
`);
const count = statement(`
  INSERT INTO search_workspaces (workspace_id, parts, length, analysis)
  VALUES ($1, $2, $3, ${ANALYSIS})
  ON CONFLICT (workspace_id) DO UPDATE SET
    parts = search_workspaces.parts + excluded.parts,
    length = search_workspaces.length + excluded.length
`);

/**
 * Reads the parts that changes of these nodes and comments may affect, in order. Those in `fresh` are
 * new.
 */
export async function readParts(
  session: Session,
  workspace: string,
  { ids, comments, fresh }: ChangedNodes,
): Promise<StoredPart[]> {
  const found = await partsOf.all(
    session,
    ...[workspace, ids, fresh],
    ...[comments.map(({ pageId }) => pageId), comments.map(({ id }) => id)],
  );
  return found.map(toPart);
}

/** Reads all parts of these pages. */
export async function allParts(
  session: Session,
  workspace: string,
  pageIds: readonly string[],
): Promise<StoredPart[]> {
  return (await ofPages.all(session, workspace, pageIds)).map(toPart);
}

function toPart([no, pageId, place, title, body]: Row): StoredPart {
  return { no, pageId, place, title, body };
}

/** Returns the first part number for a new page. */
export async function nextNo(session: Session, workspace: string): Promise<number> {
  const [no] = await highest.get(session, workspace) ?? [];
  return (Math.floor((no ?? 0) / PARTS) + 1) * PARTS;
}

/** A part as it is stored. */
interface IndexedPart extends StoredPart {
  readonly length: number;
  readonly terms: readonly string[];
}

/** Parts to be stored, and how they change the totals of the workspace. */
export interface IndexedParts {
  readonly parts: readonly IndexedPart[];
  readonly added: number;
  readonly length: number;
}

/** Computes what parts are indexed by. Pauses, because they may have very many words. */
export async function indexParts(
  workspace: string,
  changed: readonly ChangedPart[],
  rest: Rest,
): Promise<IndexedParts> {
  const code = codeOf(workspace);
  const parts: IndexedPart[] = [];
  let [added, length] = [0, 0];
  for (const { part, before } of changed) {
    const own = partLength(part);
    parts.push({ ...part, length: own, terms: await termsOf(code, part, rest) });
    length += own - (before === undefined ? 0 : partLength(before));
    if (before === undefined) added++;
    await rest();
  }
  return { parts, added, length };
}

/** Writes parts and updates the workspace's totals. */
export async function saveParts(
  session: Session,
  workspace: string,
  { parts, added, length }: IndexedParts,
): Promise<void> {
  if (parts.length === 0) return;
  await Promise.all([
    save(session, workspace, parts),
    count(session, workspace, added, length),
  ]);
}

/** Terms that are computed between two checks of the time. */
const TOGETHER = 2_000;

/** Returns as many of the terms of a part as fit into the index. */
async function termsOf(
  code: string,
  { place, title, body }: StoredPart,
  rest: Rest,
): Promise<readonly string[]> {
  const words = [title, ...segmentsOf(body).map(({ words }) => words)];
  const terms = new Set<string>();
  let [bytes, seen] = [0, 0];
  for (const term of allTerms(place, words)) {
    if (term === undefined || ++seen % TOGETHER === 0) await rest();
    if (term === undefined) continue;
    const own = coded(code, term);
    if (terms.has(own)) continue;
    bytes += encoder.encode(own).length;
    if (bytes > MOST_BYTES) break;
    terms.add(own);
  }
  return [...terms];
}

/** Yields undefined between the steps in which terms are made. */
function* allTerms(place: string, words: readonly string[]): Generator<string | undefined> {
  yield* wordsOf([place, ...words]);
  yield* yield* overlapSteps(words, "last");
}

/** Yields what stands between the spaces of texts. */
function* wordsOf(texts: readonly string[]): Generator<string> {
  for (const text of texts) {
    for (let start = 0; start < text.length;) {
      const space = text.indexOf(" ", start);
      const end = space < 0 ? text.length : space;
      if (end > start) yield text.slice(start, end);
      start = end + 1;
    }
  }
}
