/**
 * The facts about pages and databases that filters of a search read.
 *
 * @module
 */
import type { PageFacts } from "../port.ts";
import { ancestorMark } from "../search_marks.ts";
import type { ReadPlan, Source } from "./query.ts";

type Row = readonly [
  id: string,
  kind: PageFacts["kind"],
  parentId: string | null,
  createdTime: number,
  createdBy: string,
  editedTime: number,
  editedBy: string,
  place: string | null,
];

export interface PageFactReads {
  pageFacts(workspace: string, ids: readonly string[]): ReadPlan<PageFacts[]>;
}

/** Declares the statement that reads the facts of listed pages. */
export function createPageFactReads({ dialect, query }: Source): PageFactReads {
  // All parts of a page have the marks of its ancestors.
  const facts = query<Row>(
    `SELECT n.id, n.kind, nullif(n.parent_id, ''), n.created_time, n.created_by, n.edited_time,
      n.edited_by, (
        SELECT p.place FROM search_parts p
        WHERE p.workspace_id = n.workspace_id AND p.page_id = n.id ORDER BY p.no LIMIT 1
      )
    ${dialect.listed("nodes n", "n.id", "$2")} AND n.workspace_id = $1 AND n.kind <> 'block'
      AND ${dialect.inState("n.trash_root", false)}`,
  );
  return { pageFacts: (workspace, ids) => facts.all([workspace, ids], toFacts) };
}

function toFacts(
  [id, kind, parentId, createdTime, createdBy, editedTime, editedBy, place]: Row,
): PageFacts {
  return {
    id,
    kind,
    parentId,
    createdTime,
    createdBy,
    editedTime,
    editedBy,
    isBelow: (ancestorId) => place?.includes(` ${ancestorMark(ancestorId)} `) === true,
  };
}
