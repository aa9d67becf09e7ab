/**
 * Replaces mentions of users who are unknown here by their names.
 *
 * @module
 */
import { isObject, type Json, type JsonObject, objectAt, textAt } from "../../transfer/json.ts";
import type { ListedObject } from "../../export/listing.ts";
import type { Archive } from "../jsonl/archive.ts";

/** Returns the archive with names in place of mentions of these users. */
export function namedUsers(archive: Archive, missing: ReadonlySet<string>): Archive {
  if (missing.size === 0) return archive;
  const named = (record: JsonObject): JsonObject => {
    const visited = withNames(record, missing);
    return isObject(visited) ? visited : record;
  };
  const objects = [...archive.objects].map(([id, object]): [string, ListedObject] => [
    id,
    { ...object, record: named(object.record) },
  ]);
  return {
    ...archive,
    objects: new Map(objects),
    readBlocks: async (id) => (await archive.readBlocks(id)).map(named),
    readComments: async (id) => (await archive.readComments(id)).map(named),
  };
}

function withNames(value: Json, missing: ReadonlySet<string>): Json {
  if (Array.isArray(value)) return value.map((one) => withNames(one, missing));
  if (!isObject(value)) return value;
  const user = textAt(objectAt(objectAt(value, "mention"), "user"), "id");
  if (value.type === "mention" && missing.has(user)) {
    const { annotations, plain_text } = value;
    const content = textAt({ plain_text }, "plain_text");
    return { type: "text", text: { content, link: null }, annotations, plain_text };
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, withNames(one ?? null, missing)]),
  );
}
