/**
 * Version 2022-02-22: a page's parent is a page, database or workspace, blocks have none, and
 * relations are described by one flat object.
 *
 * @module
 */
import { isJson, membersOf, repliedObjects } from "../json.ts";
import { meetTimes, withoutTimes } from "../search_times.ts";
import type { Json, NotionRequest, StepContext, VersionStep } from "../step.ts";
import { readNodes } from "../../shared/node_portions.ts";

export const v2022_02_22: VersionStep = { version: "2022-02-22", request, reply };

/** Every relation of this version had a synced property. */
function request(sent: NotionRequest): NotionRequest {
  const { body } = sent;
  if (!isJson(body)) return sent;
  if (sent.operation === "search") return { ...sent, body: withoutTimes(body) };
  if (!sent.operation.endsWith("Database")) return sent;
  for (const { relation } of membersOf(body["properties"])) {
    if (!isJson(relation) || KINDS.some((kind) => Object.hasOwn(relation, kind))) continue;
    delete relation["synced_property_id"];
    const name = relation["synced_property_name"];
    delete relation["synced_property_name"];
    relation["dual_property"] = name === undefined ? {} : { synced_property_name: name };
  }
  return sent;
}

const KINDS = ["single_property", "dual_property"];

async function reply(body: Json, context: StepContext): Promise<Json> {
  const { operation, body: asked } = context.sent;
  if (operation === "search") body["results"] = meetTimes(body["results"], asked);
  const objects = repliedObjects(body);
  for (const object of objects) {
    if (object["object"] === "block") delete object["parent"];
    if (object["object"] === "database") flattenRelations(object);
  }
  await liftParents(objects, context);
  return body;
}

function flattenRelations({ properties }: Json): void {
  for (const { relation } of membersOf(properties)) {
    if (!isJson(relation)) continue;
    const { dual_property: dual } = relation;
    for (const key of ["type", ...KINDS]) delete relation[key];
    if (isJson(dual)) Object.assign(relation, dual);
  }
}

/** Replaces each parent that is a block by the page that contains it; takes one query. */
async function liftParents(
  objects: readonly Json[],
  { services, workspace }: StepContext,
): Promise<void> {
  const nested = objects.flatMap((object) => {
    const { parent } = object;
    const isNested = isJson(parent) && parent["type"] === "block_id";
    return isNested ? [{ object, block: String(parent["block_id"]) }] : [];
  });
  if (nested.length === 0) return;
  const blocks = await readNodes(services.store, workspace, [
    ...new Set(nested.map(({ block }) => block)),
  ]);
  const containers = new Map(blocks.map(({ id, containerId }) => [id, containerId]));
  for (const { object, block } of nested) {
    const page_id = containers.get(block);
    if (page_id !== undefined) object["parent"] = { type: "page_id", page_id };
  }
}
