/**
 * Writing what of a page changed into its parts.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import { appendLines, linesOf, replaceLines } from "../../../search/text/parts.ts";
import { spaced } from "../../../search/text/spaced.ts";
import { ancestorMark, kindMark, MANY, parentMark } from "../../search_marks.ts";
import { type Query, query } from "../query.ts";
import type { TextNode } from "./node_texts.ts";
import { createPartTable, PARTS, type PartTable, type StoredPart } from "./parts.ts";

export interface PageWriter {
  /** Brings the parts of a page up to date with these nodes of it, itself perhaps among them. */
  write(workspace: string, pageId: string, nodes: readonly TextNode[]): void;
}

/** Prepares the statements that write pages. */
export function createPageWriter(db: DatabaseSync): PageWriter {
  const parts = createPartTable(db);
  const placeOf = createPlaceReader(db);
  const insert = (workspace: string, page: TextNode, lines: Lines): void => {
    const [body = "", ...bodies] = appendLines("", lines.values());
    const first = {
      no: parts.nextNo(),
      pageId: page.id,
      place: placeOf(workspace, page),
      title: spaced(page.title),
      body,
      trashed: page.trashed,
    };
    for (const part of continued(first, bodies)) parts.insert(workspace, part);
  };
  return {
    write(workspace, pageId, nodes) {
      const page = nodes.find(({ id }) => id === pageId);
      const lines = new Map(nodes.map(({ id, texts }) => [id, linesOf(id, texts)]));
      // What is new stands in no part yet, and the last one alone takes it.
      const isAppended = page === undefined && nodes.every(({ isNew }) => isNew);
      const stored = isAppended ? parts.last(workspace, pageId) : parts.all(workspace, pageId);
      if (stored.length > 0) update(parts, workspace, { stored, title: page?.title, lines });
      else if (page !== undefined) insert(workspace, page, lines);
    },
  };
}

/** Lines of bodies, by the id that they begin with. */
type Lines = ReadonlyMap<string, string>;

interface Update {
  /** Those of the page that may have to change. */
  readonly stored: readonly StoredPart[];
  readonly title: string | undefined;
  readonly lines: Lines;
}

function update(parts: PartTable, workspace: string, { stored, title, lines }: Update): void {
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
  if (last === undefined) return;
  const [body = "", ...bodies] = appendLines(last.body, missing.values());
  for (const [index, part] of [...edited, ...continued({ ...last, body }, bodies)].entries()) {
    const before = stored[index];
    if (before === undefined) parts.insert(workspace, part);
    else if (!isSame(before, part)) parts.replace(workspace, part);
  }
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

/** Prepares what finds the marks of a new page; they stay, for nothing ever moves. */
function createPlaceReader(db: DatabaseSync): (workspace: string, page: TextNode) => string {
  const above: Query<[string]> = query(
    db,
    `WITH RECURSIVE above (id) AS (
      SELECT ?2
      UNION ALL
      SELECT n.parent_id FROM above
      CROSS JOIN nodes n ON n.workspace_id = ?1 AND n.id = above.id
    )
    SELECT id FROM above WHERE id <> ''`,
  );
  return (workspace, { kind, parentId }) => {
    const ids = parentId === "" ? [] : above.all(workspace, parentId).map(([id]) => id);
    const marks = [
      kindMark(kind),
      ...(parentId === "" ? [] : [parentMark(parentId)]),
      ...ids.map(ancestorMark),
    ];
    return ` ${marks.join(" ")} `;
  };
}
