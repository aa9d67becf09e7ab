/**
 * Version 2021-08-16: the text of blocks, and conditions on texts, are named `text`.
 *
 * @module
 */
import { isJson, objectsIn, rename, repliedObjects } from "../json.ts";
import type { Rest } from "../../shared/yield_to_event_loop.ts";
import type { Json, NotionRequest, StepContext, VersionStep } from "../step.ts";

export const v2021_08_16: VersionStep = { version: "2021-08-16", request, reply };

/** The types of blocks whose text had the other name. Captions never had. */
const TEXT_BLOCKS: ReadonlySet<string> = new Set([
  "paragraph",
  "heading_1",
  "heading_2",
  "heading_3",
  "callout",
  "quote",
  "bulleted_list_item",
  "numbered_list_item",
  "to_do",
  "toggle",
  "code",
  "template",
]);

async function request(sent: NotionRequest, { rest }: StepContext): Promise<NotionRequest> {
  const { body } = sent;
  if (!isJson(body)) return sent;
  if (sent.operation === "queryDatabase") renameConditions(body["filter"]);
  // The body of an update of a block has the members of a block.
  if (sent.operation === "updateBlock") await renameTexts([body], rest);
  await renameTexts([...objectsIn(body["children"]), ...objectsIn(body["content"])], rest);
  return sent;
}

/** Renames the text of blocks and of the blocks in them, level by level. */
async function renameTexts(blocks: readonly Json[], rest: Rest): Promise<void> {
  for (let level = blocks; level.length > 0;) {
    const below: Json[] = [];
    for (const block of level) {
      below.push(...renameText(block));
      await rest();
    }
    level = below;
  }
}

/** Renames the text of a block, and returns the blocks in it. */
function renameText(block: Json): Json[] {
  return [
    ...objectsIn(block["children"]),
    ...Object.entries(block).flatMap(([type, content]) => {
      if (!isJson(content)) return [];
      if (TEXT_BLOCKS.has(type)) rename(content, "text", "rich_text");
      return objectsIn(content["children"]);
    }),
  ];
}

/** Renames the conditions of a filter. Depth is limited as that of any JSON. */
function renameConditions(filter: unknown): void {
  if (!isJson(filter)) return;
  for (const one of [...objectsIn(filter["and"]), ...objectsIn(filter["or"])]) {
    renameConditions(one);
  }
  rename(filter, "text", "rich_text");
  rename(filter, "phone", "phone_number");
  if (isJson(filter["formula"])) rename(filter["formula"], "text", "string");
  if (!isJson(filter["rollup"])) return;
  for (const name of ["any", "every", "none"]) {
    const items = filter["rollup"][name];
    if (isJson(items)) rename(items, "text", "rich_text");
  }
}

function reply(body: Json): Json {
  for (const object of repliedObjects(body)) {
    if (object["object"] === "property_item") delete object["id"];
    const content = object[String(object["type"])];
    const isText = object["object"] === "block" && TEXT_BLOCKS.has(String(object["type"]));
    if (isText && isJson(content)) rename(content, "rich_text", "text");
  }
  return body["type"] === "property_item" ? toItemList(body) : body;
}

/** A list of what a rollup collected had the rollup at the top. */
function toItemList(body: Json): Json {
  const { property_item: item, ...list } = body;
  if (!isJson(item) || item["type"] !== "rollup") return body;
  return { ...list, type: "rollup", rollup: item["rollup"] };
}
