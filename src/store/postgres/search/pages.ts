/**
 * Writing what of pages changed into their parts.
 *
 * @module
 */
import { appendLines, linesOf, replaceLines } from "../../../search/text/parts.ts";
import { spaced } from "../../../search/text/spaced.ts";
import { ancestorMark, kindMark, MANY, parentMark } from "../../search_marks.ts";
import { query, type Session } from "../query.ts";
import type { TextNode } from "./node_texts.ts";
import { type ChangedPart, nextNo, PARTS, readParts, saveParts, type StoredPart } from "./parts.ts";

/** A page and what of it changed, itself perhaps among them. */
export interface ChangedPage {
  readonly id: string;
  readonly nodes: readonly TextNode[];
  /** Whether these are new blocks alone, which only the last part takes. */
  readonly isAppended: boolean;
}

/** Brings the parts of pages up to date. */
export async function writePages(
  session: Session,
  workspace: string,
  pages: readonly ChangedPage[],
): Promise<void> {
  const idsWhere = (isAppended: boolean) =>
    pages.filter((page) => page.isAppended === isAppended).map(({ id }) => id);
  const [stored, places, first] = await Promise.all([
    readParts(session, workspace, { whole: idsWhere(false), appended: idsWhere(true) }),
    readPlaces(session, workspace, pages),
    nextNo(session, workspace),
  ]);
  const byPage = Map.groupBy(stored, ({ pageId }) => pageId);
  let no = first;
  const changed = pages.flatMap(({ id, nodes }) => {
    const own = nodes.find((node) => node.id === id);
    const lines = new Map(nodes.map((node) => [node.id, linesOf(node.id, node.texts)]));
    const before = byPage.get(id) ?? [];
    if (before.length > 0) return updated({ stored: before, title: own?.title, lines });
    if (own === undefined) return [];
    const made = inserted(own, { no, place: places.get(id) ?? "", lines });
    no += PARTS;
    return made;
  });
  await saveParts(session, workspace, changed);
}

/** Lines of bodies, by the id that they begin with. */
type Lines = ReadonlyMap<string, string>;

interface Fresh {
  readonly no: number;
  readonly place: string;
  readonly lines: Lines;
}

function inserted(page: TextNode, { no, place, lines }: Fresh): ChangedPart[] {
  const [body = "", ...bodies] = appendLines("", lines.values());
  const { id: pageId, trashed } = page;
  const first = { no, pageId, place, title: spaced(page.title), body, trashed };
  return continued(first, bodies).map((part) => ({ part, before: undefined }));
}

interface Update {
  /** Those of the page that may have to change. */
  readonly stored: readonly StoredPart[];
  readonly title: string | undefined;
  readonly lines: Lines;
}

function updated({ stored, title, lines }: Update): ChangedPart[] {
  let missing = lines;
  const edited = stored.map((part) => {
    const replaced = replaceLines(part.body, missing);
    missing = replaced.missing;
    return {
      ...part,
      title: title === undefined ? part.title : spaced(title),
      body: replaced.body,
    };
  });
  const last = edited.pop();
  if (last === undefined) return [];
  const [body = "", ...bodies] = appendLines(last.body, missing.values());
  return [...edited, ...continued({ ...last, body }, bodies)]
    .map((part, index) => ({ part, before: stored[index] }))
    .filter(({ part, before }) => before === undefined || !isSame(before, part));
}

/** A page's last part, and further ones with these bodies; where there are several, they say so. */
function continued(last: StoredPart, bodies: readonly string[]): StoredPart[] {
  const isOnly = last.no % PARTS === 0 && bodies.length > 0;
  const part = isOnly ? { ...last, place: `${last.place}${MANY} ` } : last;
  return [part, ...bodies.map((body, index) => ({ ...part, no: part.no + 1 + index, body }))];
}

function isSame(a: StoredPart, b: StoredPart): boolean {
  return a.place === b.place && a.title === b.title && a.body === b.body;
}

const above = query<[page: string, id: string]>(`
  WITH RECURSIVE above (page, id) AS (
    SELECT id, parent_id FROM nodes WHERE workspace_id = $1 AND id = ANY ($2::text[])
    UNION ALL
    SELECT above.page, n.parent_id FROM above
    JOIN nodes n ON n.workspace_id = $1 AND n.id = above.id
  )
  SELECT page, id FROM above WHERE id <> ''
`);

/** The marks of pages that may be new; they stay, for nothing ever moves. */
async function readPlaces(
  session: Session,
  workspace: string,
  pages: readonly ChangedPage[],
): Promise<ReadonlyMap<string, string>> {
  const own = pages.flatMap(({ id, nodes }) => nodes.filter((node) => node.id === id));
  if (own.length === 0) return new Map();
  const found = await above.all(session, workspace, own.map(({ id }) => id));
  const byPage = Map.groupBy(found, ([page]) => page);
  return new Map(own.map(({ id, kind, parentId }) => {
    const marks = [
      kindMark(kind),
      ...(parentId === "" ? [] : [parentMark(parentId)]),
      ...(byPage.get(id) ?? []).map(([, ancestor]) => ancestorMark(ancestor)),
    ];
    return [id, ` ${marks.join(" ")} `];
  }));
}
