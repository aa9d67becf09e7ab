/**
 * Reads the users that content shows.
 *
 * @module
 */
import type { ApiClient } from "../transfer/api_client.ts";
import { ApiError } from "../transfer/api_error.ts";
import type { JsonObject } from "../transfer/json.ts";

/** Resolves to a user; undefined if there is none with this ID, because content may name who is gone. */
export type UserReader = (id: string) => Promise<JsonObject | undefined>;

/** Creates a reader that asks for each user once. */
export function createUserReader(api: ApiClient): UserReader {
  const users = new Map<string, Promise<JsonObject | undefined>>();
  const read: UserReader = async (id) => {
    try {
      const { request_id: _request, ...user } = await api.get(`/v2/users/${id}`);
      return user;
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return undefined;
      throw error;
    }
  };
  return (id) => users.getOrInsertComputed(id, () => read(id));
}
