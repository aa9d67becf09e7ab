/**
 * Updates the indexed parts of pages.
 *
 * @module
 */
import { lineSteps } from "../../../search/text/parts.ts";
import { withRests } from "../../../shared/yield_to_event_loop.ts";
import { ancestorMark, kindMark, MANY, parentMark } from "../../search_marks.ts";
import { type ChangedPart, newParts, PARTS, updatedParts } from "../../search_parts.ts";
import { batchesOf } from "../../batches.ts";
import { query, type Session, statement } from "../query.ts";
import { markDue } from "./due.ts";
import { type CommentRef, readCommentTexts, type TextComment } from "./comment_texts.ts";
import { readTexts, type TextNode } from "./node_texts.ts";
import { codeOf } from "./expressions.ts";
import { type IndexedParts, indexParts, nextNo, readParts, saveParts } from "./parts.ts";
import { createSessionRest } from "../session_rest.ts";

/** Changed pages, and their new parts. */
export interface ChangedPages {
  readonly ids: readonly string[];
  readonly parts: IndexedParts;
}

export const NO_PAGES: ChangedPages = { ids: [], parts: { parts: [], added: 0, length: 0 } };

export interface ChangedNodes {
  readonly ids: readonly string[];
  readonly comments: readonly CommentRef[];
  /** The IDs among both that are new to the index. */
  readonly fresh: readonly string[];
}

/**
 * Reads how these nodes and comments change the index, with one round of queries. Pauses, because they
 * may have very many words.
 */
export async function readPages(
  session: Session,
  workspace: string,
  { ids, comments, fresh }: ChangedNodes,
): Promise<ChangedPages> {
  const [nodes, commentTexts, stored, places, first] = await Promise.all([
    readTexts(session, workspace, ids),
    readCommentTexts(session, workspace, comments),
    readParts(session, workspace, { ids, comments, fresh }),
    readPlaces(session, workspace, ids),
    nextNo(session, workspace),
  ]);
  const byPage = Map.groupBy(stored, ({ pageId }) => pageId);
  const texts: readonly (TextNode | TextComment)[] = [...nodes, ...commentTexts];
  const pages = [...Map.groupBy(texts, pageOf)].flatMap(([id, own]) =>
    id === null ? [] : [{ id, own }]
  );
  let no = first;
  const rest = createSessionRest(session);
  const parts: ChangedPart[] = [];
  for (const { id, own } of pages) {
    const page = own.find((one): one is TextNode => one.id === id);
    const lines = new Map<string, string>();
    for (const node of own) {
      lines.set(node.id, await withRests(lineSteps(node.id, node.texts), rest));
    }
    const before = byPage.get(id) ?? [];
    if (before.length > 0) {
      parts.push(...updatedParts({ stored: before, title: page?.title, lines }));
    } else if (page !== undefined) {
      const place = placeOf(page, places.get(id) ?? []);
      parts.push(...newParts({ no, pageId: id, place, title: page.title }, lines));
      no += PARTS;
    }
    await rest();
  }
  return { ids: pages.map(({ id }) => id), parts: await indexParts(workspace, parts, rest) };
}

/** Writes the changes. Sends all statements before it awaits the first. */
export async function savePages(
  session: Session,
  workspace: string,
  { ids, parts }: ChangedPages,
): Promise<void> {
  if (ids.length === 0) return;
  await Promise.all([
    saveParts(session, workspace, parts),
    markDue(session, workspace, ids),
  ]);
}

/** Returns the ID of the page or database whose index entry contains the node's words. */
function pageOf({ id, kind, containerId }: TextNode | TextComment): string | null {
  return kind === "block" || kind === "comment" ? containerId : id;
}

const below = query<[string]>(`
  WITH RECURSIVE below (id) AS (
    SELECT id FROM nodes WHERE workspace_id = $1 AND id = $2
    UNION ALL
    SELECT n.id FROM below JOIN nodes n ON n.workspace_id = $1 AND n.parent_id = below.id
  )
  SELECT n.id FROM below JOIN nodes n ON n.workspace_id = $1 AND n.id = below.id
  WHERE n.kind <> 'block'
`);

/** Pages of one round of statements. */
const MOVED = 50;

/** Gives a page, and all pages and databases below it, the marks of their current place. */
export async function movePages(session: Session, workspace: string, root: string): Promise<void> {
  const ids = (await below.all(session, workspace, root)).map(([id]) => id);
  for (let at = 0; at < ids.length; at += MOVED) {
    const batch = ids.slice(at, at + MOVED);
    const [places, pages] = await Promise.all([
      readPlaces(session, workspace, batch),
      kinds.all(session, workspace, batch),
    ]);
    const moved = pages.map(([id, length, kind, parentId]) => ({
      ...{ id, length },
      place: placeOf({ kind, parentId }, places.get(id) ?? []),
    }));
    // One statement for all would take too long where texts are: each term is indexed again.
    for (const some of batchesOf(moved, MOVED)) {
      await mark(session, workspace, some, codeOf(workspace));
    }
  }
}

const kinds = query<[id: string, length: number, kind: TextNode["kind"], parentId: string]>(`
  SELECT n.id, coalesce((
    SELECT sum(octet_length(p.body)) FROM search_parts p WHERE p.workspace_id = $1 AND p.page_id = n.id
  ), 0)::int, n.kind, n.parent_id
  FROM nodes n WHERE n.workspace_id = $1 AND n.id = ANY ($2::text[])
`);

const marksIn = (place: string) => `
  ARRAY(SELECT $3 || mark FROM unnest(string_to_array(btrim(${place}), ' ')) mark)
`;
const MARKS = { before: marksIn("p.place"), after: marksIn("moved.place") };
/** Replaces the marks among the terms; the others stay. */
const mark = statement(`
  UPDATE search_parts p SET place = moved.place,
    terms = ts_delete(p.terms, ${MARKS.before}) || array_to_tsvector(${MARKS.after})
  FROM (
    SELECT s.no, fresh.place || CASE WHEN strpos(s.place, ' ${MANY} ') > 0 THEN '${MANY} ' ELSE '' END
      AS place
    FROM json_to_recordset($2::json) AS fresh (id text, place text)
    JOIN search_parts s ON s.workspace_id = $1 AND s.page_id = fresh.id
  ) moved
  WHERE p.workspace_id = $1 AND p.no = moved.no
`);

// `UNION` visits no node twice, so that the walk ends in a damaged tree that is circular, too.
const above = query<[page: string, id: string]>(`
  WITH RECURSIVE above (page, id) AS (
    SELECT id, parent_id FROM nodes
    WHERE workspace_id = $1 AND id = ANY ($2::text[]) AND kind <> 'block'
    UNION
    SELECT above.page, n.parent_id FROM above
    JOIN nodes n ON n.workspace_id = $1 AND n.id = above.id
  )
  SELECT page, id FROM above WHERE id <> ''
`);

/** Reads the ancestors of the pages and databases among these nodes, by their ID. */
async function readPlaces(
  session: Session,
  workspace: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = await above.all(session, workspace, ids);
  const byPage = Map.groupBy(found, ([page]) => page);
  return new Map([...byPage].map(([page, rows]) => [page, rows.map(([, ancestor]) => ancestor)]));
}

/** Returns the marks of a new page: its kind, parent and ancestors. */
function placeOf(
  { kind, parentId }: Pick<TextNode, "kind" | "parentId">,
  ancestors: readonly string[],
): string {
  const marks = [
    kindMark(kind),
    ...(parentId === "" ? [] : [parentMark(parentId)]),
    ...ancestors.map(ancestorMark),
  ];
  return ` ${marks.join(" ")} `;
}
