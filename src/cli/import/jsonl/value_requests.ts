/**
 * Writes the values of a page or row in as many requests as they need.
 *
 * @module
 */
import { type Json, jsonBytes, type JsonObject } from "../../transfer/json.ts";
import { type ImportRun, refusalOf } from "./import_run.ts";

/** Bytes of the values in one request. The API takes 1 MiB; a value alone may have most of that. */
const MAX_BYTES = 400_000;

/** Divides values into those of each request: one at least, which may be empty. */
export function divideValues(values: JsonObject): [JsonObject, ...JsonObject[]] {
  const [first, ...rest] = portionsOf(Object.entries(values));
  return [first ?? {}, ...rest];
}

function portionsOf(entries: readonly (readonly [string, Json | undefined])[]): JsonObject[] {
  const portions: (readonly [string, Json | undefined])[][] = [];
  let bytes = Infinity;
  for (const entry of entries) {
    const size = jsonBytes(entry);
    if (bytes + size > MAX_BYTES) {
      portions.push([]);
      bytes = 0;
    }
    portions.at(-1)?.push(entry);
    bytes += size;
  }
  return portions.map((portion) => Object.fromEntries(portion));
}

export interface ValueRequests {
  /** ID in the archive, for the report. */
  readonly id: string;
  /** ID here. */
  readonly here: string;
  readonly portions: readonly JsonObject[];
  /** Idempotency key, of which each request has its own; undefined if each run writes them. */
  readonly key: string | undefined;
}

/** Sends a request for each portion, and reports the values of those that the API refuses. */
export async function patchValues(
  { api, report }: Pick<ImportRun, "api" | "report">,
  { id, here, portions, key }: ValueRequests,
): Promise<void> {
  for (const [index, properties] of portions.entries()) {
    try {
      const options = key === undefined ? {} : { key: `${key} values ${index}` };
      await api.patch(`/v2/pages/${here}`, { properties }, options);
    } catch (error) {
      const names = Object.keys(properties).map((name) => `"${name}"`).join(", ");
      report.omit(`${names} of ${id}`, refusalOf(error));
    }
  }
}
