/**
 * A bound for every text and list: readers plan by it, and linters ask for it.
 *
 * @module
 */
import type { JsonObject } from "./json.ts";
import { mapSchema } from "./walk.ts";

/** What holds where a schema names no bound of its own. */
export interface Bounds {
  /** UTF-16 code units of any text. */
  readonly text: number;
  /** Items of any list. */
  readonly items: number;
}

/** A schema in which every text and list has a bound. */
export function withBounds(schema: JsonObject, { text, items }: Bounds): JsonObject {
  return mapSchema(schema, (inner) => {
    const types = [inner["type"]].flat();
    if (types.includes("string") && !isBoundText(inner)) return { ...inner, maxLength: text };
    if (types.includes("array") && inner["maxItems"] === undefined) {
      return { ...inner, maxItems: items };
    }
    return inner;
  });
}

function isBoundText(schema: JsonObject): boolean {
  return ["maxLength", "const", "enum"].some((keyword) => schema[keyword] !== undefined);
}
