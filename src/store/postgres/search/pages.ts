/**
 * Writing what of pages changed into their parts.
 *
 * @module
 */
import { linesOf } from "../../../search/text/parts.ts";
import { ancestorMark, kindMark, parentMark } from "../../search_marks.ts";
import { newParts, PARTS, updatedParts } from "../../search_parts.ts";
import { query, type Session } from "../query.ts";
import type { TextNode } from "./node_texts.ts";
import { nextNo, readParts, saveParts } from "./parts.ts";

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
    if (before.length > 0) return updatedParts({ stored: before, title: own?.title, lines });
    if (own === undefined) return [];
    const { title, trashed } = own;
    const made = newParts({ no, pageId: id, place: places.get(id) ?? "", title, trashed }, lines);
    no += PARTS;
    return made;
  });
  await saveParts(session, workspace, changed);
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
