/**
 * Reads what is in a page of the vendor's API: blocks, long values and comments.
 *
 * @module
 */
import type { BlockTree } from "../../export/block_tree.ts";
import type { ApiClient } from "../../transfer/api_client.ts";
import { ApiError } from "../../transfer/api_error.ts";
import { isObject, type Json, type JsonObject, objectAt, textAt } from "../../transfer/json.ts";
import { isMissing } from "./scope.ts";

/** Resolves to a whole list. A cursor may become invalid: then the list is read from its start. */
export async function readList(
  source: ApiClient,
  path: string,
  body?: JsonObject,
): Promise<JsonObject[]> {
  try {
    return await collect(source.list(path, body));
  } catch (error) {
    if (!(error instanceof ApiError && /cursor/.test(error.message))) throw error;
    return await collect(source.list(path, body));
  }
}

async function collect(items: AsyncIterable<JsonObject>): Promise<JsonObject[]> {
  const found: JsonObject[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** Resolves to the blocks of a page or block, in order, without the content of pages in it. */
export async function readTrees(source: ApiClient, id: string): Promise<BlockTree[]> {
  const trees: BlockTree[] = [];
  for (const block of await readList(source, `/v1/blocks/${id}/children?page_size=100`)) {
    const children = hasOwnBlocks(block) ? await readTrees(source, textAt(block, "id")) : [];
    trees.push({ block, children });
  }
  return trees;
}

/** A copy of a synced block shows the blocks of another; what is unsupported has none to read. */
function hasOwnBlocks(block: JsonObject): boolean {
  const type = textAt(block, "type");
  const isOther = ["child_page", "child_database", "unsupported"].includes(type);
  const from = objectAt(objectAt(block, "synced_block"), "synced_from");
  return block.has_children === true && !isOther && Object.keys(from).length === 0;
}

/** Pages carry the first items of these values. */
const LISTS = new Set(["title", "rich_text", "relation", "people"]);
const FIRST_ITEMS = 25;

/** Returns a page with all items of its values. */
export async function withLongValues(source: ApiClient, page: JsonObject): Promise<JsonObject> {
  const properties: Record<string, Json> = {};
  for (const [name, property] of Object.entries(objectAt(page, "properties"))) {
    if (!isObject(property)) continue;
    const type = textAt(property, "type");
    const value = property[type];
    const isLong = LISTS.has(type) && Array.isArray(value) &&
      (property.has_more === true || (type !== "relation" && value.length >= FIRST_ITEMS));
    properties[name] = isLong
      ? { ...property, [type]: await readItems(source, textAt(page, "id"), property) }
      : property;
  }
  return { ...page, properties };
}

async function readItems(
  source: ApiClient,
  pageId: string,
  property: JsonObject,
): Promise<JsonObject[]> {
  const type = textAt(property, "type");
  const id = textAt(property, "id");
  // IDs come percent-encoded, or they have nothing to encode.
  const path = `/v1/pages/${pageId}/properties/${id}?page_size=100`;
  return (await readList(source, path)).map((item) => objectAt(item, type));
}

/** Which comments are read: those of pages, those of their blocks as well, or none. */
export const COMMENT_MODES = ["pages", "all", "none"] as const;
export type CommentMode = typeof COMMENT_MODES[number];

/** Resolves to the comments of a page, the oldest first; undefined if the token may not read them. */
export async function readSourceComments(
  source: ApiClient,
  { pageId, blockIds, mode }: {
    readonly pageId: string;
    readonly blockIds: readonly string[];
    readonly mode: CommentMode;
  },
): Promise<JsonObject[] | undefined> {
  const ids = mode === "none" ? [] : mode === "all" ? [pageId, ...blockIds] : [pageId];
  const comments: JsonObject[] = [];
  try {
    for (const id of ids) {
      comments.push(...await readList(source, `/v1/comments?block_id=${id}&page_size=100`));
    }
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  return comments.sort((a, b) => textAt(a, "created_time") < textAt(b, "created_time") ? -1 : 1);
}
