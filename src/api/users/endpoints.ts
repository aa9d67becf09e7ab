/**
 * Users: whoever called with a token.
 *
 * @module
 */
import * as v from "valibot";
import { normalizeId, userIdInput } from "../../content/values/ids.ts";
import { user as userSchema, userObject } from "../../content/values/users.ts";
import { notFound } from "../../shared/errors.ts";
import { define } from "../shared/services.ts";

const ME = "me";

export const userEndpoints = [
  define({
    method: "GET",
    path: "/v2/users/:user_id",
    operationId: "getUser",
    tag: "Users",
    summary: "Read a user",
    description: "Reads a person or bot of the workspace; `me` is the caller. " +
      "The e-mail is there only for a token that holds `users.email.read`.",
    params: v.strictObject({
      user_id: v.pipe(
        userIdInput,
        v.description("Id of the user, or `me`."),
        v.examples([ME]),
      ),
    }),
    response: userSchema,
    handle: async ({ params, caller }, { store, files }) => {
      const id = params.user_id === ME ? caller.userId : normalizeId(params.user_id);
      const user = await store.user(caller.workspace, id);
      if (user === undefined) throw notFound("user", id);
      const self = id === caller.userId;
      const { maxBytes: maxFileBytes } = files;
      const view = { self, workspaceName: caller.workspace, maxFileBytes };
      return { body: userObject(user, view), etag: "hash" };
    },
  }),
];
