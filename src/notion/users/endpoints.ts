/**
 * Users: the list of a workspace, and the bot of a token with its workspace.
 *
 * @module
 */
import * as v from "valibot";
import { normalizeId, userIdInput } from "../../content/values/ids.ts";
import { user as userSchema, userObject } from "../../content/values/users.ts";
import {
  listJson,
  listSchema,
  pageSizeOf,
  type Pagination,
  pagination,
} from "../../api/shared/lists.ts";
import type { Services } from "../../api/shared/services.ts";
import type { Call, Reply } from "../../http/endpoint.ts";
import { notFound } from "../../shared/errors.ts";
import type { User } from "../../content/values/users.ts";
import { own } from "../endpoint.ts";

const ME = "me";

export const userEndpoints = [
  own({
    method: "GET",
    path: "/v1/users",
    operationId: "listUsers",
    query: v.strictObject(pagination),
    response: listSchema("user", userSchema),
    handle: list,
  }),
  own({
    method: "GET",
    path: "/v1/users/:user_id",
    operationId: "getUser",
    params: v.strictObject({ user_id: userIdInput }),
    response: userSchema,
    handle: read,
  }),
];

type ListCall = Call<unknown, Pagination, unknown>;

/** Lists the people and bots of the workspace by ID; erased users are left out. */
async function list(call: ListCall, services: Services): Promise<Reply> {
  const { query, caller: { workspace }, requestId } = call;
  const { store, cursors } = services;
  const name = `users ${workspace}`;
  const limit = pageSizeOf(query);
  const after = query.start_cursor === undefined ? "" : cursors.open(query.start_cursor, name);
  const users = await store.workspaceUsers(workspace, { after, limit: limit + 1 });
  const shown = users.slice(0, limit);
  const last = users.length > limit ? shown.at(-1) : undefined;
  return {
    body: listJson({
      type: "user",
      results: shown.map((user) => JSON.stringify(objectOf(user, call, services))),
      nextCursor: last === undefined ? null : cursors.seal(last.id, name),
      requestId,
    }),
  };
}

type UserCall = Call<{ readonly user_id: string }, unknown, unknown>;

async function read(call: UserCall, services: Services): Promise<Reply> {
  const { params, caller } = call;
  const id = params.user_id === ME ? caller.userId : normalizeId(params.user_id);
  const user = await services.store.user(caller.workspace, id);
  if (user === undefined) throw notFound("user", id);
  return { body: objectOf(user, call, services), etag: "hash" };
}

/** Returns a user; the bot of the token itself with its workspace. */
function objectOf(
  user: User,
  { caller: { workspace, userId } }: Pick<UserCall, "caller">,
  { files: { maxBytes: maxFileBytes } }: Services,
): Readonly<Record<string, unknown>> {
  const self = user.id === userId;
  const object = userObject(user, { self, workspaceName: workspace, maxFileBytes });
  if (object.type !== "bot" || !self) return object;
  return { ...object, bot: { ...object.bot, workspace_id: workspace } };
}
