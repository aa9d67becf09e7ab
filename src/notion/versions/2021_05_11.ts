/**
 * Version 2021-05-11: text values of pages are named `text`.
 *
 * @module
 */
import { isJson, membersOf, rename, repliedObjects } from "../json.ts";
import type { Json, NotionRequest, StepContext, VersionStep } from "../step.ts";

export const v2021_05_11: VersionStep = { version: "2021-05-11", request, reply };

function request(sent: NotionRequest): NotionRequest {
  if (!isJson(sent.body) || !sent.operation.endsWith("Page")) return sent;
  for (const value of membersOf(sent.body["properties"])) {
    rename(value, "text", "rich_text");
    if (value["type"] === "text") value["type"] = "rich_text";
  }
  return sent;
}

async function reply(body: Json, { rest }: StepContext): Promise<Json> {
  for (const object of repliedObjects(body)) {
    const isItem = object["object"] === "property_item";
    const values = isItem
      ? [object]
      : object["object"] === "page"
      ? membersOf(object["properties"])
      : [];
    for (const value of values) {
      if (value["type"] !== "rich_text") continue;
      value["type"] = "text";
      rename(value, "rich_text", "text");
    }
    await rest();
  }
  return body;
}
