/**
 * Reads the comments of pages and databases.
 *
 * @module
 */
import type { ApiClient } from "../transfer/api_client.ts";
import { isMissingRoute } from "../transfer/api_error.ts";
import type { JsonObject } from "../transfer/json.ts";
import type { ListedObject } from "./listing.ts";

/**
 * Resolves to the comments on a database, or on a page and its blocks, the oldest first; undefined if
 * the server has none to give, because it is older than comments or its `/v1` is switched off.
 */
export async function readComments(
  api: ApiClient,
  { id, kind }: Pick<ListedObject, "id" | "kind">,
): Promise<JsonObject[] | undefined> {
  const comments: JsonObject[] = [];
  const target = kind === "page" ? "page_id" : "block_id";
  try {
    for await (const comment of api.list(`/v1/comments?${target}=${id}`)) comments.push(comment);
  } catch (error) {
    if (isMissingRoute(error)) return undefined;
    throw error;
  }
  return comments;
}
