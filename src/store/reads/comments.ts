/**
 * Reading comments.
 *
 * @module
 */
import type { CommentView } from "../../content/schema/comment.ts";
import type { NodeKind } from "../../content/schema/node.ts";
import { fitting } from "../../content/values/page_end.ts";
import { assertIntact } from "../checksum.ts";
import type { CommentListOptions } from "../port.ts";
import type { ReadDialect } from "./dialect.ts";
import type { Flag } from "./node_row.ts";
import type { Query, ReadPlan, Source } from "./query.ts";

/** The columns of comment `c` on node `n`. */
function columns({ inState }: ReadDialect): string {
  return `
    c.id, c.discussion_id, c.node_id, c.page_id, c.doc, c.has_mentions, c.version, c.created_time,
    c.created_by, c.edited_time, c.edited_by, n.kind, ${inState("n.trash_root", true)}, c.checksum
  `;
}

/** `columns()`, one for one. */
type Row = readonly [
  id: string,
  discussionId: string,
  nodeId: string,
  pageId: string,
  doc: string,
  hasMentions: Flag,
  version: number,
  createdTime: number,
  createdBy: string,
  editedTime: number,
  editedBy: string,
  nodeKind: NodeKind,
  inTrash: Flag | null,
  checksum: number,
];

export interface CommentReads {
  commentsById(workspace: string, ids: readonly string[]): ReadPlan<CommentView[]>;
  nodeComments(
    workspace: string,
    nodeId: string,
    options: CommentListOptions,
  ): ReadPlan<CommentView[]>;
  pageComments(
    workspace: string,
    pageId: string,
    options: CommentListOptions,
  ): ReadPlan<CommentView[]>;
  discussionStart(workspace: string, discussionId: string): ReadPlan<CommentView | undefined>;
}

const PLACE = "c.id, octet_length(c.doc)";

/** PLACE, one for one. */
type Place = readonly [id: string, bytes: number];

const NODE = "JOIN nodes n ON n.workspace_id = c.workspace_id AND n.id = c.node_id";
const IN_ORDER = "ORDER BY c.created_time, c.id";
const AFTER = `AND (c.created_time, c.id) > ($3, $4) ${IN_ORDER} LIMIT $5`;

/** Declares the statements that read comments. */
export function createCommentReads({ dialect, query }: Source): CommentReads {
  const all = columns(dialect);
  const byId = query<Row>(
    `SELECT ${all} ${dialect.listed(`comments c CROSS JOIN nodes n`, "c.id", "$2")}
      AND c.workspace_id = $1 AND n.workspace_id = $1 AND n.id = c.node_id`,
  );
  const ofNode = query<Place>(
    `SELECT ${PLACE} FROM comments c WHERE c.workspace_id = $1 AND c.node_id = $2 ${AFTER}`,
  );
  const ofPage = query<Place>(
    `SELECT ${PLACE} FROM ${dialect.indexed("comments c", "comments_of_page")} ${NODE}
      JOIN nodes p ON p.workspace_id = c.workspace_id AND p.id = c.page_id
        AND ${dialect.sameState("n.trash_root", "p.trash_root")}
      WHERE c.workspace_id = $1 AND c.page_id = $2 ${AFTER}`,
  );
  const first = query<Row>(
    `SELECT ${all} FROM comments c ${NODE}
      WHERE c.workspace_id = $1 AND c.discussion_id = $2 ${IN_ORDER} LIMIT 1`,
  );
  const view = (workspace: string) => (row: Row) => toView(workspace, row);
  const parameters = ({ after, limit }: CommentListOptions) =>
    [after?.createdTime ?? Number.MIN_SAFE_INTEGER, after?.id ?? "", limit] as const;
  const listed = (places: Query<Place>): CommentReads["nodeComments"] =>
    function* (workspace, id, options) {
      const found = yield* places.all([workspace, id, ...parameters(options)], (place) => place);
      const ids = pageOf(found).map(([comment]) => comment);
      const comments = yield* byId.all([workspace, ids], view(workspace));
      const byKey = new Map(comments.map((one) => [one.id, one]));
      return ids.flatMap((comment) => byKey.get(comment) ?? []);
    };
  return {
    commentsById: (workspace, ids) => byId.all([workspace, ids], view(workspace)),
    nodeComments: listed(ofNode),
    pageComments: listed(ofPage),
    discussionStart: (workspace, id) => first.first([workspace, id], view(workspace)),
  };
}

/** The comments up to the one whose document fills a page, and one more. */
function pageOf(places: readonly Place[]): readonly Place[] {
  const page = fitting(places, ([, length]) => length);
  return places.slice(0, page.length + 1);
}

/** Converts a row to a comment. Throws `data_corrupted` if its document is damaged. */
function toView(workspace: string, row: Row): CommentView {
  const [id, doc] = [row[0], row[4]];
  assertIntact(workspace, { id, title: "", doc }, row[13]);
  return {
    id,
    discussionId: row[1],
    nodeId: row[2],
    pageId: row[3],
    doc,
    hasMentions: Boolean(row[5]),
    version: row[6],
    createdTime: row[7],
    createdBy: row[8],
    editedTime: row[9],
    editedBy: row[10],
    nodeKind: row[11],
    inTrash: Boolean(row[12]),
  };
}
