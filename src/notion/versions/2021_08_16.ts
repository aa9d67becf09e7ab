/**
 * Version 2021-08-16: the text of blocks, and conditions on texts, are named `text`.
 *
 * @module
 */
import { LIMITS } from "../../content/values/limits.ts";
import { isJson, objectsIn, rename, repliedObjects } from "../json.ts";
import { type Rest, withRests } from "../../shared/yield_to_event_loop.ts";
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
  if (sent.operation === "queryDatabase") await withRests(renameConditions(body["filter"]), rest);
  // The body of an update of a block has the members of a block.
  if (sent.operation === "updateBlock") await renameTexts([body], rest);
  await renameTexts([...blocksIn(body["children"]), ...blocksIn(body["content"])], rest);
  return sent;
}

/** Returns the blocks of a list. One that is too long is left to the schema, which refuses it. */
function blocksIn(list: unknown): Json[] {
  return objectsIn(list, LIMITS.blocksPerRequest);
}

/** Renames the text of blocks and of the blocks in them. */
async function renameTexts(blocks: readonly Json[], rest: Rest): Promise<void> {
  const open = [blocks];
  for (let level = open.pop(); level !== undefined; level = open.pop()) {
    for (const block of level) {
      // Not spread: a call takes only so many arguments.
      for (const below of renameText(block)) open.push(below);
      await rest();
    }
  }
}

/** Renames the text of a block, and returns the lists of blocks in it. */
function renameText(block: Json): Json[][] {
  const lists = [blocksIn(block["children"])];
  for (const [type, content] of Object.entries(block)) {
    if (!isJson(content)) continue;
    if (TEXT_BLOCKS.has(type)) rename(content, "text", "rich_text");
    lists.push(blocksIn(content["children"]));
  }
  return lists.filter(({ length }) => length > 0);
}

/** Returns the conditions of a list. One that is too long is left to the schema, which refuses it. */
function conditionsIn(list: unknown): Json[] {
  return objectsIn(list, LIMITS.filterConditions);
}

/** Renames the conditions of a filter. */
function* renameConditions(filter: unknown): Generator<void, void, void> {
  const lists = [conditionsIn([filter])];
  for (let list = lists.pop(); list !== undefined; list = lists.pop()) {
    for (const one of list) {
      lists.push(conditionsIn(one["and"]), conditionsIn(one["or"]));
      renameCondition(one);
      yield;
    }
  }
}

function renameCondition(condition: Json): void {
  rename(condition, "text", "rich_text");
  rename(condition, "phone", "phone_number");
  if (isJson(condition["formula"])) rename(condition["formula"], "text", "string");
  if (!isJson(condition["rollup"])) return;
  for (const name of ["any", "every", "none"]) {
    const items = condition["rollup"][name];
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
