/**
 * The parts of pages as they are kept: their words, and by term.
 *
 * @module
 */
import { partLength, segmentsOf } from "../../../search/text/parts.ts";
import { type ChangedPart, PARTS, type StoredPart } from "../../search_parts.ts";
import { query, type Session, statement } from "../query.ts";
import { coded, codeOf } from "./expressions.ts";

type Row = readonly [
  no: number,
  pageId: string,
  place: string,
  title: string,
  body: string,
  trashed: boolean,
];

const COLUMNS = "p.no, p.page_id, p.place, p.title, p.body, p.trashed";

const every = query<Row>(`
  SELECT ${COLUMNS} FROM search_parts p
  WHERE p.workspace_id = $1 AND p.page_id = ANY ($2::text[]) ORDER BY p.no
`);
const last = query<Row>(`
  SELECT DISTINCT ON (p.page_id) ${COLUMNS} FROM search_parts p
  WHERE p.workspace_id = $1 AND p.page_id = ANY ($2::text[]) ORDER BY p.page_id, p.no DESC
`);
const highest = query<[number | null]>(
  "SELECT max(no) FROM search_parts WHERE workspace_id = $1",
);
const save = statement(`
  INSERT INTO search_parts
    (workspace_id, no, page_id, place, title, body, length, trashed, terms)
  SELECT $1, no, "pageId", place, title, body, length, trashed,
    array_to_tsvector(ARRAY(SELECT json_array_elements_text(terms)))
  FROM json_to_recordset($2::json) AS fresh (
    no bigint, "pageId" text, place text, title text, body text, length integer, trashed boolean,
    terms json
  )
  ON CONFLICT (workspace_id, no) DO UPDATE SET
    place = excluded.place, title = excluded.title, body = excluded.body,
    length = excluded.length, terms = excluded.terms
`);
const count = statement(`
  INSERT INTO search_workspaces (workspace_id, parts, length) VALUES ($1, $2, $3)
  ON CONFLICT (workspace_id) DO UPDATE SET
    parts = search_workspaces.parts + excluded.parts,
    length = search_workspaces.length + excluded.length
`);

/** All parts of some pages and the last part alone of others, in order. */
export async function readParts(
  session: Session,
  workspace: string,
  { whole, appended }: { readonly whole: readonly string[]; readonly appended: readonly string[] },
): Promise<StoredPart[]> {
  const found = await Promise.all([
    every.all(session, workspace, whole),
    last.all(session, workspace, appended),
  ]);
  return found.flat().map(([no, pageId, place, title, body, trashed]) => ({
    ...{ no, pageId, place, title, body, trashed },
  }));
}

/** The first number of a page that is new. */
export async function nextNo(session: Session, workspace: string): Promise<number> {
  const [no] = await highest.get(session, workspace) ?? [];
  return (Math.floor((no ?? 0) / PARTS) + 1) * PARTS;
}

/** Keeps parts. */
export async function saveParts(
  session: Session,
  workspace: string,
  changed: readonly ChangedPart[],
): Promise<void> {
  if (changed.length === 0) return;
  const code = codeOf(workspace);
  const length = changed.reduce(
    (sum, { part, before }) => sum + partLength(part) - (before ? partLength(before) : 0),
    0,
  );
  const added = changed.filter(({ before }) => before === undefined).length;
  await Promise.all([
    save(
      session,
      workspace,
      changed.map(({ part }) => ({
        ...part,
        length: partLength(part),
        terms: termsOf(code, part),
      })),
    ),
    count(session, workspace, added, length),
  ]);
}

function termsOf(code: string, { place, title, body }: StoredPart): string[] {
  const texts = [place, title, ...segmentsOf(body).map(({ words }) => words)];
  const terms = texts.flatMap((text) => text.split(" ")).filter((term) => term !== "");
  return [...new Set(terms.map((term) => coded(code, term)))];
}
