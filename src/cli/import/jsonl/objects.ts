/**
 * Creates the pages, databases and rows of an archive, without content and relations.
 *
 * @module
 */
import { type ListedObject, titleOf } from "../../export/listing.ts";
import { countObject, isRow } from "../../export/context.ts";
import { type JsonObject, objectAt, textAt } from "../../transfer/json.ts";
import { forEachParallel } from "../../transfer/parallel.ts";
import { create, type ImportRun } from "./import_run.ts";
import {
  dependentProperties,
  firstProperties,
  giveUp,
  isMirror,
  writeDependent,
} from "./schemas.ts";
import { divideValues, patchValues } from "./value_requests.ts";
import { writtenFile, writtenText, writtenValues } from "./values.ts";

/**
 * Creates all objects, each after its parent and its older siblings, and completes the properties of
 * databases as soon as possible. Returns the IDs of those that have to be written again, because
 * they name objects that came later.
 */
export async function createObjects(run: ImportRun): Promise<Set<string>> {
  const { objects } = run.archive;
  const pending = new Set<string>();
  const children = Map.groupBy(objects.values(), (object) => parentOf(run, object));
  let properties = [...objects.values()].filter(({ kind }) => kind === "database")
    .flatMap((database) => dependentProperties(objects, database));
  run.progress.begin("create pages and databases", objects.size);
  for (let parents: (string | undefined)[] = [undefined]; parents.length > 0;) {
    properties = await writeDependent(run, properties);
    const level = parents.map((parent) => children.get(parent) ?? []);
    // Siblings are created one after the other, because that is their order from then on.
    await forEachParallel(level, run.api.parallel, async (siblings) => {
      for (const object of siblings) {
        if (await createObject(run, object)) pending.add(object.id);
        run.progress.advance();
      }
    });
    parents = level.flat().map(({ id }) => id);
  }
  await giveUp(run, await writeDependent(run, properties));
  return pending;
}

/** Returns the parent in the archive; undefined at the top level. */
function parentOf({ archive }: ImportRun, { parentId }: ListedObject): string | undefined {
  return parentId !== undefined && archive.objects.has(parentId) ? parentId : undefined;
}

/** Creates an object; resolves to whether it has to be written again. */
async function createObject(run: ImportRun, object: ListedObject): Promise<boolean> {
  countObject(run.report, object);
  return object.kind === "database"
    ? await createDatabase(run, object)
    : await createPage(run, object);
}

async function createDatabase(run: ImportRun, object: ListedObject): Promise<boolean> {
  const { id, record } = object;
  const { texts, isPending } = databaseTexts(run, object);
  await create(run, "/v2/databases", {
    id,
    body: async () => ({
      parent: parentHere(run, object),
      properties: firstProperties(run.archive.objects, object),
      ...texts,
      is_inline: record.is_inline ?? false,
      ...await look(run, object),
    }),
    remainder: () => ({
      parent: parentHere(run, object),
      title: texts.title,
      properties: { [titleName(object)]: { title: {} } },
    }),
  });
  noteOrder(run, object);
  return isPending;
}

/** Returns title and description of a database in their written form. */
export function databaseTexts(
  run: ImportRun,
  { id, record }: ListedObject,
): { readonly texts: JsonObject; readonly isPending: boolean } {
  const title = writtenText(run, record.title, id);
  const description = writtenText(run, record.description, id);
  return {
    texts: { title: title.items, description: description.items },
    isPending: title.isPending || description.isPending,
  };
}

/** The other sides of relations are added later than all other properties. */
function noteOrder({ report, archive }: ImportRun, { id, record }: ListedObject): void {
  const names = Object.keys(objectAt(record, "properties"));
  const mirrors = names.filter((name) => isMirror(archive.objects, record, name));
  const first = names.length - mirrors.length;
  for (const name of mirrors.filter((one) => names.indexOf(one) < first)) {
    report.alter(`property "${name}" of ${id}`, "stands behind the other properties");
  }
}

async function createPage(run: ImportRun, object: ListedObject): Promise<boolean> {
  const { id, record } = object;
  let isPending = false;
  let rest: JsonObject[] = [];
  const { created } = await create(run, "/v2/pages", {
    id,
    body: async () => {
      const values = await writtenValues(run, record);
      isPending = values.isPending;
      const [properties, ...later] = divideValues(knownProperties(run, object, values.properties));
      rest = later;
      return { parent: parentHere(run, object), properties, ...await look(run, object) };
    },
    remainder: () => {
      rest = [];
      return {
        parent: parentHere(run, object),
        properties: { title: [{ text: { content: titleOf(object).slice(0, MAX_TITLE) } }] },
      };
    },
    complete: (here, key) => patchValues(run, { id, here, portions: rest, key }),
  });
  if (created !== undefined) noteNumbers(run, object, created);
  return isPending;
}

/** Characters of a text in one piece. */
const MAX_TITLE = 2_000;

function titleName({ record }: ListedObject): string {
  const properties = objectAt(record, "properties");
  return Object.keys(properties).find((name) => objectAt(properties, name).type === "title") ??
    "Name";
}

/** A row whose database is not in the archive becomes a page, which has a title alone. */
function knownProperties(
  run: ImportRun,
  object: ListedObject,
  properties: JsonObject,
): JsonObject {
  if (!isRow(object.record) || parentOf(run, object) !== undefined) return properties;
  run.report.omit(object.id, "a row without its database became a page: only its title is kept");
  const title = Object.entries(objectAt(object.record, "properties"))
    .find(([, property]) => textAt(property, "type") === "title");
  return title === undefined ? {} : { title: properties[title[0]] };
}

function parentHere(run: ImportRun, object: ListedObject): JsonObject {
  const parent = parentOf(run, object);
  if (parent === undefined) return run.parent;
  const id = run.idOf(parent) ?? "";
  return run.archive.objects.get(parent)?.kind === "database"
    ? { database_id: id }
    : { page_id: id };
}

/** Returns icon and cover of an object in their written form. */
export async function look(run: ImportRun, { id, record }: ListedObject): Promise<JsonObject> {
  const [icon, cover] = await Promise.all([
    writtenFile(run, record.icon, id),
    writtenFile(run, record.cover, id),
  ]);
  return { icon, cover };
}

/** Numbers are given by the server, in order and without gaps. */
function noteNumbers(run: ImportRun, { id, record }: ListedObject, created: JsonObject): void {
  const before = numberIn(record);
  const now = numberIn(created);
  if (before !== now) {
    run.report.alter(id, "has another unique ID, because the server numbers rows without gaps");
  }
}

function numberIn(record: JsonObject): unknown {
  const properties = objectAt(record, "properties");
  const numbered = Object.keys(properties).map((name) => objectAt(properties, name))
    .find(({ type }) => type === "unique_id");
  return objectAt(numbered, "unique_id").number;
}
