/**
 * Version 2021-05-13: unknown names are ignored, appending returns the parent, and pages leave out
 * some empty values. Property IDs needed no encoding then; those of this service never need any.
 *
 * @module
 */
import { isJson, membersOf, objectsIn, rename, repliedObjects } from "../json.ts";
import type { Json, StepContext, VersionStep } from "../step.ts";

export const v2021_05_13: VersionStep = { version: "2021-05-13", reply, ignoresUnknown: true };

/** The former names of the types of rollup items. */
const ITEM_NAMES: readonly (readonly [now: string, then: string])[] = [
  ["files", "file"],
  ["rich_text", "text"],
  ["people", "person"],
];

/** Types whose empty values were left out of pages. */
const LEFT_OUT: ReadonlySet<unknown> = new Set(["number", "email", "select", "date", "rollup"]);

function reply(body: Json, { sent, read }: StepContext): Json | Promise<Json> {
  if (sent.operation === "appendBlockChildren") {
    return read({ operation: "getBlock", params: sent.params });
  }
  for (const object of repliedObjects(body)) {
    if (object["object"] === "page") translateValues(object);
    if (object["object"] === "property_item") renameItems(object["rollup"]);
  }
  return body;
}

function translateValues({ properties }: Json): void {
  if (!isJson(properties)) return;
  for (const value of membersOf(properties)) renameItems(value["rollup"]);
  for (const [name, value] of Object.entries(properties)) {
    if (isJson(value) && isEmpty(value)) delete properties[name];
  }
}

function isEmpty(value: Json): boolean {
  const { type } = value;
  if (!LEFT_OUT.has(type)) return false;
  const content = value[String(type)];
  return content === null || (isJson(content) && content[String(content["type"])] === null);
}

function renameItems(rollup: unknown): void {
  if (!isJson(rollup)) return;
  for (const item of objectsIn(rollup["array"])) {
    const names = ITEM_NAMES.find(([now]) => now === item["type"]);
    if (names === undefined) continue;
    const [now, then] = names;
    item["type"] = then;
    rename(item, now, then);
  }
}
