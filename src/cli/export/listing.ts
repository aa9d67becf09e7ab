/**
 * Lists what an export contains: all pages and databases of a workspace, or a subtree of it.
 *
 * @module
 */
import type { ApiClient } from "../transfer/api_client.ts";
import { type JsonObject, objectAt, textAt } from "../transfer/json.ts";
import type { Progress } from "../transfer/progress.ts";

/** A page, row or database as the API returns it. */
export interface ListedObject {
  readonly id: string;
  readonly kind: "page" | "database";
  /** ID of the page or database that it is in; undefined at the top level. */
  readonly parentId: string | undefined;
  readonly createdTime: string;
  readonly editedTime: string;
  readonly record: JsonObject;
}

/** Objects by ID. A parent precedes its children; siblings are in the order of their creation. */
export type Listing = ReadonlyMap<string, ListedObject>;

/**
 * Lists the objects that are not in the trash; with a `root`, only that page or database and what is
 * in it.
 *
 * Objects that are edited meanwhile move to the end of the list, so none is missed.
 */
export async function listObjects(
  api: ApiClient,
  { root, progress }: { readonly root: string | undefined; readonly progress: Progress },
): Promise<Listing> {
  const found = new Map<string, ListedObject>();
  progress.begin("list pages and databases");
  const sort = { timestamp: "last_edited_time", direction: "ascending" };
  for await (const { match: _match, ...record } of api.list("/v2/search", { sort })) {
    const listed = toListed(record);
    found.set(listed.id, listed);
    progress.advance();
  }
  return inOrder([...found.values()], root);
}

/** Reads an object that the API returned. */
export function toListed(record: JsonObject): ListedObject {
  const parent = objectAt(record, "parent");
  return {
    id: textAt(record, "id"),
    kind: record.object === "database" ? "database" : "page",
    parentId: textAt(parent, textAt(parent, "type")) || undefined,
    createdTime: textAt(record, "created_time"),
    editedTime: textAt(record, "last_edited_time"),
    record,
  };
}

/**
 * Sorts objects: parents first, siblings by creation. Without a `root`, those whose parent is missing
 * are at the top level.
 */
export function inOrder(objects: readonly ListedObject[], root?: string): Listing {
  const ids = new Set(objects.map(({ id }) => id));
  const topOf = ({ id, parentId }: ListedObject): boolean =>
    root === undefined ? parentId === undefined || !ids.has(parentId) : id === root;
  const sorted = [...objects].sort(byCreation);
  const children = Map.groupBy(sorted, ({ parentId }) => parentId);
  const ordered = new Map<string, ListedObject>();
  const waiting = sorted.filter(topOf).reverse();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    ordered.set(next.id, next);
    waiting.push(...(children.get(next.id) ?? []).toReversed());
  }
  return ordered;
}

function byCreation(a: ListedObject, b: ListedObject): number {
  if (a.createdTime !== b.createdTime) return a.createdTime < b.createdTime ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}

/** Returns the title of a page or database as plain text. */
export function titleOf({ kind, record }: ListedObject): string {
  const items = kind === "database" ? record.title : titleProperty(record)?.title;
  return Array.isArray(items) ? items.map((item) => textAt(item, "plain_text")).join("") : "";
}

function titleProperty(record: JsonObject): JsonObject | undefined {
  const properties = objectAt(record, "properties");
  return Object.keys(properties).map((name) => objectAt(properties, name))
    .find(({ type }) => type === "title");
}
