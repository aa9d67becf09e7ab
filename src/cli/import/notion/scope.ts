/**
 * Which objects a mirror contains: all that the token sees, or those in and below its roots.
 *
 * @module
 */
import type { ApiClient } from "../../transfer/api_client.ts";
import { ApiError } from "../../transfer/api_error.ts";
import { type JsonObject, objectAt, textAt } from "../../transfer/json.ts";

export interface Scope {
  /** Returns the record with the page or database that contains it as its parent. */
  placed(record: JsonObject): Promise<JsonObject>;
  /** Returns whether an object is in the mirror. */
  contains(record: JsonObject): Promise<boolean>;
  /** Remembers records, so that they are not asked for. */
  learn(record: JsonObject): void;
  /** Returns whether an object was remembered. */
  knows(id: string): boolean;
}

/** Creates a scope; without roots it contains everything. */
export function createScope(source: ApiClient, roots: ReadonlySet<string>): Scope {
  const parents = new Map<string, JsonObject>();
  const learn = ({ id, parent }: JsonObject): void => {
    parents.set(String(id), objectAt({ parent: parent ?? null }, "parent"));
  };
  /** Climbs from a block to the page that contains it. */
  const pageAbove = async (parent: JsonObject): Promise<JsonObject> => {
    let current = parent;
    while (textAt(current, "type") === "block_id") {
      const id = textAt(current, "block_id");
      if (!parents.has(id)) learn(await readOr(source, `/v1/blocks/${id}`, { id }));
      current = parents.get(id) ?? {};
    }
    return current;
  };
  const placed = async (record: JsonObject): Promise<JsonObject> => ({
    ...record,
    parent: await pageAbove(objectAt(record, "parent")),
  });
  const parentOf = async (kind: string, id: string): Promise<JsonObject> => {
    if (!parents.has(id)) learn(await readOr(source, `/v1/${kind}/${id}`, { id }));
    return await pageAbove(parents.get(id) ?? {});
  };
  return {
    learn,
    knows: (id) => parents.has(id),
    placed,
    async contains(record) {
      if (roots.size === 0) return true;
      let id = textAt(record, "id");
      let parent = await pageAbove(objectAt(record, "parent"));
      while (!roots.has(id)) {
        const type = textAt(parent, "type");
        if (type !== "page_id" && type !== "database_id") return false;
        id = textAt(parent, type);
        parent = await parentOf(type === "page_id" ? "pages" : "databases", id);
      }
      return true;
    },
  };
}

/** Reads an object; `missing` stands for one that is deleted or not shared. */
export async function readOr<T>(
  source: ApiClient,
  path: string,
  missing: T,
): Promise<JsonObject | T> {
  try {
    return await source.get(path);
  } catch (error) {
    if (isMissing(error)) return missing;
    throw error;
  }
}

/** Returns whether an object is deleted, not shared, or of a kind that this version cannot read. */
export function isMissing(error: unknown): boolean {
  return error instanceof ApiError && [400, 403, 404].includes(error.status);
}
