/**
 * People and bots of a workspace.
 *
 * @module
 */
import * as v from "valibot";
import { component } from "../../shared/component.ts";
import { idInput, idOutput } from "./ids.ts";

/** A person or bot of a workspace. */
export interface User {
  readonly id: string;
  readonly type: "person" | "bot";
  readonly name: string | null;
  readonly email: string | null;
  readonly avatarUrl: string | null;
}

/** A user as it is stored. */
export interface UserRecord extends User {
  /** The user's pseudonym in the request log; null if it is not known. */
  readonly pseudonym: string | null;
  /** Milliseconds since the epoch; null unless an operator erased the user. */
  readonly erasedTime: number | null;
}

/** The name of an erased user. */
export const ERASED_NAME = "Deleted user";

/** A user as a token describes it: `null` if the token does not say, `""` if there is no value. */
export interface UserClaims extends User {
  readonly pseudonym?: string | null;
}

/** Returns whether a token says nothing new about a user, or nothing that may be stored. */
export function isUpToDate(stored: UserRecord | undefined, claims: UserClaims): boolean {
  if (stored !== undefined && stored.erasedTime !== null) return true;
  const isSame = (member: "name" | "email" | "avatarUrl") =>
    claims[member] === null || (claims[member] || null) === stored?.[member];
  return stored !== undefined && stored.type === claims.type &&
    (claims.pseudonym ?? stored.pseudonym) === stored.pseudonym && isSame("name") &&
    isSame("email") &&
    isSame("avatarUrl");
}

/** Returns whether a token says everything about a user. */
export function isComplete({ name, email, avatarUrl, pseudonym = null }: UserClaims): boolean {
  return [name, email, avatarUrl, pseudonym].every((member) => member !== null);
}

/** A user in responses, by id only. */
export const partialUser = v.object({ object: v.literal("user"), id: idOutput });
component(partialUser, "PartialUser", "A reference to a user, by ID.");
export type PartialUser = v.InferOutput<typeof partialUser>;

/**
 * A user that content refers to: all members if the caller may read users, otherwise the id alone.
 */
export const referredUser = v.object({
  object: v.literal("user"),
  id: idOutput,
  type: v.exactOptional(v.picklist(["person", "bot"])),
  name: v.exactOptional(v.nullable(v.string())),
  avatar_url: v.exactOptional(v.nullable(v.string())),
  person: v.exactOptional(v.object({ email: v.exactOptional(v.string()) })),
  bot: v.exactOptional(v.object({})),
});
component(
  referredUser,
  "ReferredUser",
  "A user that content refers to. Members besides the ID are included only if the token may read users, and `person.email` only with the scope `users.email.read`.",
);

const common = {
  object: v.literal("user"),
  id: idOutput,
  name: v.nullable(v.string()),
  avatar_url: v.nullable(v.string()),
};

const person = v.object({
  ...common,
  type: v.literal("person"),
  person: v.object({
    email: v.exactOptional(
      v.pipe(
        v.string(),
        v.description("Included only if the token has the scope `users.email.read`."),
      ),
    ),
  }),
});

const bot = v.object({
  ...common,
  type: v.literal("bot"),
  bot: v.object({
    owner: v.exactOptional(
      v.object({ type: v.literal("workspace"), workspace: v.literal(true) }),
    ),
    workspace_name: v.exactOptional(v.nullable(v.string())),
    workspace_limits: v.exactOptional(v.object({ max_file_upload_size_in_bytes: v.number() })),
  }),
});

/** A user in responses. */
export const user = v.variant("type", [person, bot]);
component(user, "User", "A person or bot of the workspace.");
export type UserObject = v.InferOutput<typeof user>;

/** A user in a request. Only the id is used; other members of a user object are accepted. */
export const userReferenceInput = v.strictObject({
  id: idInput,
  object: v.exactOptional(v.literal("user")),
  type: v.exactOptional(v.picklist(["person", "bot"])),
  name: v.exactOptional(v.nullable(v.string())),
  avatar_url: v.exactOptional(v.nullable(v.string())),
  person: v.exactOptional(v.object({})),
  bot: v.exactOptional(v.object({})),
});

/** A user by id, as JSON text. Ids need no escaping. */
export function partialUserJson(id: string): string {
  return `{"object":"user","id":"${id}"}`;
}

export interface UserView {
  /** True if the user is the caller. */
  readonly self: boolean;
  readonly workspaceName: string | null;
  /** Maximum size of an upload in bytes. */
  readonly maxFileBytes: number;
}

/** A user by id. */
export function toPartialUser(id: string): PartialUser {
  return { object: "user", id };
}

/**
 * The whole user, including the e-mail address, which the reply removes if the caller may not see
 * it.
 */
export function userObject(user: User, view: UserView): UserObject {
  const { id, type, name, avatarUrl } = user;
  const look = { name, avatar_url: avatarUrl };
  if (type === "bot") {
    return { object: "user", id, type, ...look, bot: view.self ? ownBot(view) : {} };
  }
  const person = user.email === null ? {} : { email: user.email };
  return { object: "user", id, type, ...look, person };
}

function ownBot(view: UserView): Extract<UserObject, { type: "bot" }>["bot"] {
  return {
    owner: { type: "workspace", workspace: true },
    workspace_name: view.workspaceName,
    workspace_limits: { max_file_upload_size_in_bytes: view.maxFileBytes },
  };
}
