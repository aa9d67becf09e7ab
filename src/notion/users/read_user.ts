/**
 * A user; the bot of the token itself with its workspace.
 *
 * @module
 */
import * as v from "valibot";
import { normalizeId, userIdInput } from "../../content/values/ids.ts";
import { user as userSchema, userObject } from "../../content/values/users.ts";
import type { Services } from "../../api/shared/services.ts";
import type { Call, Reply } from "../../http/endpoint.ts";
import { notFound } from "../../shared/errors.ts";
import { own } from "../endpoint.ts";

const ME = "me";

/** Reads a user by ID, or the caller as `me`. */
export const readUser = own({
  method: "GET",
  path: "/v1/users/:user_id",
  operationId: "getUser",
  params: v.strictObject({ user_id: userIdInput }),
  response: userSchema,
  handle: read,
});

async function read(
  { params, caller: { workspace, userId } }: Call<{ readonly user_id: string }, unknown, unknown>,
  { store, files }: Services,
): Promise<Reply> {
  const id = params.user_id === ME ? userId : normalizeId(params.user_id);
  const user = await store.user(workspace, id);
  if (user === undefined) throw notFound("user", id);
  const self = id === userId;
  const view = { self, workspaceName: workspace, maxFileBytes: files.maxBytes };
  const object = userObject(user, view);
  const body = object.type === "bot" && self
    ? { ...object, bot: { ...object.bot, workspace_id: workspace } }
    : object;
  return { body, etag: "hash" };
}
