/**
 * Users: people and bots, created the first time one of their tokens is used.
 *
 * @module
 */
import * as v from "valibot";
import { normalizeId, userIdInput } from "../../content/values/ids.ts";
import { user as userSchema, userObject } from "../../content/values/users.ts";
import { notFound } from "../../shared/errors.ts";
import type { Tag } from "../../http/endpoint.ts";
import * as example from "../shared/examples.ts";
import { define } from "../shared/services.ts";

const ME = "me";

const USERS: Tag = {
  name: "Users",
  description: "Read the people and bots of the workspace.",
};

export const userEndpoints = [
  define({
    method: "GET",
    path: "/v2/users/:user_id",
    operationId: "getUser",
    tag: USERS,
    summary: "Read a user",
    description: "Reads a person or bot of the workspace by ID, or the caller as `me`. " +
      "A user exists from the first call with one of its tokens. " +
      "The email address is included only if the token has the scope `users.email.read`.",
    params: v.strictObject({
      user_id: v.pipe(
        userIdInput,
        v.description("ID of the user, or `me` for the caller."),
        v.examples([ME]),
      ),
    }),
    response: userSchema,
    example: {
      response: {
        ...example.user,
        type: "person",
        name: "Ada Lind",
        avatar_url: null,
        person: { email: "ada@recto.example" },
      },
    },
    handle: async ({ params, caller: { workspace, userId } }, { readUsers, files, replies }) => {
      const id = params.user_id === ME ? userId : normalizeId(params.user_id);
      const user = (await readUsers(workspace, [id])).get(id);
      if (user === undefined) throw notFound("user", id);
      const self = id === userId;
      const view = { self, workspaceName: workspace, maxFileBytes: files.maxBytes };
      const body = JSON.stringify(userObject(user, view));
      const key = `user ${workspace}\n${id}\n${self}`;
      return replies.find(key, body) ?? replies.store(key, body, { body, etag: "hash" });
    },
  }),
];
