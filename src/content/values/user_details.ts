/**
 * Fills in who the users are that JSON refers to by id.
 *
 * @module
 */
import { LIMITS } from "./limits.ts";
import { partialUserJson, type User, userObject } from "./users.ts";

const REFERENCE_START = '{"object":"user","id":"';
/** A reference to a user in JSON that the service wrote; in a string, the quotes are escaped. */
const REFERENCE = /\{"object":"user","id":"([0-9a-f-]{36})"\}/g;

/** The ids of the users that a JSON text refers to. */
export function referredUsers(text: string): string[] {
  // Most texts have none, and a plain search is much faster than a regular expression.
  if (!text.includes(REFERENCE_START)) return [];
  return Array.from(text.matchAll(REFERENCE), ([, id = ""]) => id);
}

/** The JSON text with all members of these users. Others stay references. */
export function fillUsers(json: string, users: ReadonlyMap<string, string>): string {
  if (users.size === 0 || !json.includes(REFERENCE_START)) return json;
  // The ids are at the odd places. Joined, the parts are one text; replaced, they would be copied
  // later, all at once.
  return json.split(REFERENCE).map((part, index) =>
    index % 2 === 0 ? part : users.get(part) ?? partialUserJson(part)
  ).join("");
}

/**
 * Each user as JSON text, by id; the reply removes what the caller may not see. A content may refer to
 * a user thousands of times, so a long address of a picture is left out.
 */
export function userTexts(users: readonly User[]): ReadonlyMap<string, string> {
  const view = { self: false, workspaceName: null, maxFileBytes: 0 };
  return new Map(users.map((user) => {
    const avatarUrl = (user.avatarUrl?.length ?? 0) > LIMITS.referredAvatar ? null : user.avatarUrl;
    return [user.id, JSON.stringify(userObject({ ...user, avatarUrl }, view))];
  }));
}
