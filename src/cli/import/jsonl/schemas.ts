/**
 * The properties of databases: first all that stand alone, then those that depend on others, once
 * these exist.
 *
 * @module
 */
import type { ListedObject, Listing } from "../../export/listing.ts";
import {
  isObject,
  type Json,
  type JsonObject,
  objectAt,
  objectsAt,
  textAt,
} from "../../transfer/json.ts";
import { type ImportRun, refusalOf } from "./import_run.ts";

/** Types that need other properties. A text stands in for them at first, so that order is kept. */
export const DEPENDENT = ["relation", "rollup", "formula"];
const PLACEHOLDER: JsonObject = { rich_text: {} };

/** A property that is not written yet. */
export interface DependentProperty {
  readonly databaseId: string;
  readonly name: string;
  readonly property: JsonObject;
}

/** Returns the properties of a new database, with placeholders. */
export function firstProperties(objects: Listing, { record }: ListedObject): JsonObject {
  return Object.fromEntries(
    propertiesOf(record).filter(([name]) => !isMirror(objects, record, name)).map((
      [name, property],
    ) => [
      name,
      { ...firstConfig(property), ...descriptionOf(property) },
    ]),
  );
}

/** Returns the configuration that a property is created with. */
export function firstConfig(property: JsonObject): JsonObject {
  const type = textAt(property, "type");
  if (DEPENDENT.includes(type)) return PLACEHOLDER;
  const config = objectAt(property, type);
  if (type === "status") return { status: statusConfig(config) };
  if (type === "select" || type === "multi_select") {
    return { [type]: { options: newOptions(config) } };
  }
  return { [type]: config };
}

/** Options get new IDs. */
function newOptions(config: JsonObject): JsonObject[] {
  return objectsAt(config, "options").map(({ id: _id, ...option }) => option);
}

function statusConfig(config: JsonObject): JsonObject {
  const names = new Map(
    objectsAt(config, "options").map((option) => [textAt(option, "id"), textAt(option, "name")]),
  );
  const groups = objectsAt(config, "groups").map((
    { name = "", color = "default", option_ids },
  ) => ({
    name,
    color,
    option_ids: (Array.isArray(option_ids) ? option_ids : []).map((id) =>
      names.get(String(id)) ?? ""
    ),
  }));
  return { options: newOptions(config), groups };
}

function descriptionOf({ description }: JsonObject): JsonObject {
  return typeof description === "string" ? { description } : {};
}

function propertiesOf(record: JsonObject): [string, JsonObject][] {
  return Object.entries(objectAt(record, "properties"))
    .flatMap(([name, property]) => isObject(property) ? [[name, property]] : []);
}

/**
 * Returns whether a property comes with its other side, and so behind all properties that are there
 * before. It is the side that has fewer properties behind it.
 */
export function isMirror(objects: Listing, record: JsonObject, name: string): boolean {
  const relation = objectAt(objectAt(objectAt(record, "properties"), name), "relation");
  if (relation.type !== "dual_property") return false;
  const otherName = textAt(relation.dual_property, "synced_property_name");
  const other = objects.get(textAt(relation, "database_id"))?.record;
  if (other === undefined) return false;
  const difference = countBehind(record, name) - countBehind(other, otherName);
  if (difference !== 0) return difference < 0;
  return `${textAt(record, "id")} ${name}` > `${textAt(other, "id")} ${otherName}`;
}

function countBehind(record: JsonObject, name: string): number {
  const names = Object.keys(objectAt(record, "properties"));
  return names.length - 1 - names.indexOf(name);
}

/** Returns the properties of a database that depend on others. */
export function dependentProperties(
  objects: Listing,
  { id, record }: ListedObject,
): DependentProperty[] {
  return propertiesOf(record)
    .filter(([name, property]) =>
      DEPENDENT.includes(textAt(property, "type")) && !isMirror(objects, record, name)
    )
    .map(([name, property]) => ({ databaseId: id, name, property }));
}

/**
 * Writes properties that depend on others, in an order in which each finds what it needs. Returns
 * those whose databases do not exist yet; with `isLast`, reports them instead.
 */
export async function writeDependent(
  run: ImportRun,
  properties: readonly DependentProperty[],
): Promise<DependentProperty[]> {
  let open = [...properties].sort(byStage);
  for (let isProgressing = true; isProgressing;) {
    isProgressing = false;
    const left: DependentProperty[] = [];
    for (const property of open) {
      if (isReady(run, property, open)) {
        await writeProperty(run, property);
        isProgressing = true;
        open = open.filter((one) => one !== property);
      } else left.push(property);
    }
    open = left;
  }
  return open;
}

/** Reports properties that could not be written, and removes their placeholders. */
export async function giveUp(
  run: ImportRun,
  properties: readonly DependentProperty[],
): Promise<void> {
  for (const { databaseId, name, property } of properties) {
    const type = textAt(property, "type");
    const reason = `a ${type} needs what is not in the export`;
    run.report.omit(`property "${name}" of ${databaseId}`, reason);
    await removeProperty(run, databaseId, name);
  }
}

async function removeProperty(run: ImportRun, databaseId: string, name: string): Promise<void> {
  const path = `/v2/databases/${run.idOf(databaseId)}`;
  await run.once(`removed ${databaseId} ${name}`, async (key) => {
    await run.api.patch(path, { properties: { [name]: null } }, { key });
    return "done";
  });
}

function byStage(a: DependentProperty, b: DependentProperty): number {
  return stageOf(a) - stageOf(b);
}

function stageOf({ property }: DependentProperty): number {
  return DEPENDENT.indexOf(textAt(property, "type"));
}

/** Returns whether everything that a property needs exists and has its type. */
function isReady(
  run: ImportRun,
  { databaseId, name, property }: DependentProperty,
  open: readonly DependentProperty[],
): boolean {
  if (run.idOf(databaseId) === undefined) return false;
  const isOpen = (id: string, other: string): boolean =>
    open.some((one) => one.databaseId === id && one.name === other);
  const type = textAt(property, "type");
  if (type === "relation") return run.idOf(relatedOf(property)) !== undefined;
  const own = objectAt(run.archive.objects.get(databaseId)?.record, "properties");
  if (type === "rollup") {
    const { relation_property_name: relation, rollup_property_name: target } = objectAt(
      property,
      type,
    );
    const related = relatedOf(objectAt(own, String(relation)));
    return !isOpen(databaseId, String(relation)) && run.idOf(related) !== undefined &&
      !isPlaceholder(run, open, related, String(target));
  }
  const expression = textAt(property.formula, "expression");
  return !open.some((one) =>
    one.databaseId === databaseId && one.name !== name &&
    expression.includes(JSON.stringify(one.name))
  );
}

/** A mirror of an open relation does not exist either. */
function isPlaceholder(
  run: ImportRun,
  open: readonly DependentProperty[],
  databaseId: string,
  name: string,
): boolean {
  const { record } = run.archive.objects.get(databaseId) ?? {};
  const property = objectAt(objectAt(record, "properties"), name);
  const isMirrored = record !== undefined && isMirror(run.archive.objects, record, name);
  const other = objectAt(property.relation, "dual_property");
  return open.some((one) =>
    isMirrored
      ? one.databaseId === relatedOf(property) && one.name === textAt(other, "synced_property_name")
      : one.databaseId === databaseId && one.name === name
  );
}

function relatedOf(property: JsonObject): string {
  return textAt(property.relation, "database_id");
}

async function writeProperty(run: ImportRun, dependent: DependentProperty): Promise<void> {
  const { databaseId, name, property } = dependent;
  const type = textAt(property, "type");
  const change = {
    [type]: configOf(run, type, objectAt(property, type)),
    ...descriptionOf(property),
  };
  try {
    await patchOnce(run, databaseId, { [name]: change }, `property ${databaseId} ${name}`);
    await describeMirror(run, dependent);
  } catch (error) {
    run.report.omit(`property "${name}" of ${databaseId}`, refusalOf(error));
  }
}

function configOf(run: ImportRun, type: string, config: JsonObject): JsonObject {
  if (type === "formula") return config;
  if (type === "rollup") {
    const { relation_property_name, rollup_property_name, function: name } = config;
    return { relation_property_name, rollup_property_name, function: name };
  }
  const database_id = run.idOf(textAt(config, "database_id")) ?? "";
  if (config.type === "single_property") return { database_id, single_property: {} };
  const synced = textAt(config.dual_property, "synced_property_name");
  return { database_id, dual_property: { synced_property_name: synced } };
}

/** A mirror comes without its description. */
async function describeMirror(
  run: ImportRun,
  { name, property }: DependentProperty,
): Promise<void> {
  const relation: Json | undefined = property.relation;
  const synced = textAt(objectAt(relation, "dual_property"), "synced_property_name");
  const related = run.archive.objects.get(textAt(relation, "database_id"));
  const description = descriptionOf(objectAt(objectAt(related?.record, "properties"), synced));
  if (related === undefined || description.description === undefined) return;
  await patchOnce(run, related.id, { [synced]: description }, `mirror of ${related.id} ${name}`);
}

async function patchOnce(
  run: ImportRun,
  databaseId: string,
  properties: JsonObject,
  name: string,
): Promise<void> {
  await run.once(name, async (key) => {
    await run.api.patch(`/v2/databases/${run.idOf(databaseId)}`, { properties }, { key });
    return "done";
  });
}
