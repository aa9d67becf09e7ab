/**
 * Lists of comments: on a block, on a page itself, or on a page and all blocks in it.
 *
 * @module
 */
import type { CommentCursor } from "../../content/schema/comment.ts";
import { fitting } from "../../content/values/page_end.ts";
import { listJson, pageSizeOf, type Pagination } from "../../api/shared/lists.ts";
import { findNode } from "../../api/shared/nodes.ts";
import type { Services } from "../../api/shared/services.ts";
import type { Call, Reply } from "../../http/endpoint.ts";
import { validationError } from "../../shared/errors.ts";
import { issueSentence } from "../../shared/validation_issue.ts";
import { commentJsons } from "./reply.ts";

type ListQuery = Pagination & { readonly block_id?: string; readonly page_id?: string };

/** Lists comments, the oldest first. */
export async function listComments(
  { query, caller: { workspace }, requestId }: Call<unknown, ListQuery, unknown>,
  services: Services,
): Promise<Reply> {
  const { store, cursors } = services;
  const { kind, id } = targetOf(query);
  const node = await findNode(services, workspace, { kind, id });
  const list = `comments ${kind} ${workspace} ${node.id}`;
  const limit = pageSizeOf(query);
  const after = placeIn(query.start_cursor, (cursor) => cursors.open(cursor, list));
  const read = kind === "page" ? store.pageComments : store.nodeComments;
  const found = await read(workspace, node.id, { after, limit: limit + 1 });
  const shown = fitting(found.slice(0, limit), ({ doc }) => doc.length);
  const last = found.length > shown.length ? shown.at(-1) : undefined;
  return {
    body: listJson({
      type: "comment",
      results: await commentJsons(services, workspace, shown),
      nextCursor: last === undefined ? null : cursors.seal(placeJson(last), list),
      requestId,
    }),
  };
}

function targetOf(
  { block_id: block, page_id: page }: ListQuery,
): { readonly kind: "page" | "block"; readonly id: string } {
  if (block !== undefined && page !== undefined) throw wrong("page_id", "not present", page);
  if (page !== undefined) return { kind: "page", id: page };
  if (block === undefined) throw wrong("block_id", "defined", undefined);
  return { kind: "block", id: block };
}

function wrong(name: string, expected: string, received: unknown): Error {
  const pointer = `/${name}`;
  const detail = issueSentence({ root: "query", pointer, expected, received });
  return validationError([{ pointer, detail }]);
}

function placeJson({ createdTime, id }: CommentCursor): string {
  return JSON.stringify({ createdTime, id });
}

function placeIn(
  cursor: string | undefined,
  open: (cursor: string) => string,
): CommentCursor | undefined {
  // Sound because a cursor that opens was sealed by `placeJson`.
  return cursor === undefined ? undefined : JSON.parse(open(cursor)) as CommentCursor;
}
