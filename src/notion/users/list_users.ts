/**
 * The list of a workspace's users.
 *
 * @module
 */
import * as v from "valibot";
import { user as userSchema, userObject } from "../../content/values/users.ts";
import type { Call, Reply } from "../../http/endpoint.ts";
import {
  listJson,
  listSchema,
  pageSizeOf,
  type Pagination,
  pagination,
} from "../../api/shared/lists.ts";
import type { Services } from "../../api/shared/services.ts";
import { own } from "../endpoint.ts";

/** The people and bots whose tokens were used, one page at a time. */
export const listUsers = own({
  method: "GET",
  path: "/v1/users",
  operationId: "listUsers",
  query: v.strictObject(pagination),
  response: listSchema("user", userSchema),
  handle: readUsers,
});

async function readUsers(
  { query = {}, caller, requestId }: Call<unknown, Pagination | undefined, unknown>,
  { store, cursors, files }: Services,
): Promise<Reply> {
  const { workspace, userId } = caller;
  const list = `users of ${workspace}`;
  const limit = pageSizeOf(query);
  const after = query.start_cursor && cursors.open(query.start_cursor, list);
  const users = await store.usersAfter(workspace, after || undefined, limit + 1);
  const shown = users.slice(0, limit);
  const last = users.length > limit ? shown.at(-1) : undefined;
  const view = { workspaceName: workspace, maxFileBytes: files.maxBytes };
  return {
    body: listJson({
      type: "user",
      results: shown.map((user) =>
        JSON.stringify(userObject(user, { ...view, self: user.id === userId }))
      ),
      nextCursor: last === undefined ? null : cursors.seal(last.id, list),
      requestId,
    }),
  };
}
