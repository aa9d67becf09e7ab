/**
 * Reads the rows of a database of the vendor's API.
 *
 * @module
 */
import type { ApiClient } from "../../transfer/api_client.ts";
import { type JsonObject, textAt } from "../../transfer/json.ts";
import { readList } from "./read_content.ts";

/** A query of the vendor ends here, without an error. */
const MOST_ROWS = 10_000;
/** Milliseconds that clocks may differ and lists may lag. */
const OVERLAP = 120_000;

/** Resolves to all rows, or to those that were edited since a time. */
export async function queryRows(
  source: ApiClient,
  databaseId: string,
  since: string | undefined,
): Promise<JsonObject[]> {
  const path = `/v1/databases/${databaseId}/query`;
  const rows = new Map<string, JsonObject>();
  if (since !== undefined) {
    const on_or_after = new Date(Date.parse(since) - OVERLAP).toISOString();
    const filter = { timestamp: "last_edited_time", last_edited_time: { on_or_after } };
    return await readList(source, path, { filter, page_size: 100 });
  }
  const sorts = [{ timestamp: "created_time", direction: "ascending" }];
  let window: JsonObject = {};
  for (;;) {
    const found = await readList(source, path, { sorts, page_size: 100, ...window });
    const before = rows.size;
    for (const row of found) rows.set(textAt(row, "id"), row);
    if (found.length < MOST_ROWS || rows.size === before) return [...rows.values()];
    const on_or_after = textAt(found.at(-1), "created_time");
    window = { filter: { timestamp: "created_time", created_time: { on_or_after } } };
  }
}
