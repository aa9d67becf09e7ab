/**
 * The second pass over pages and databases: relations, and texts that name objects that were created
 * later.
 *
 * @module
 */
import type { ListedObject } from "../../export/listing.ts";
import { type JsonObject, objectAt, objectsAt, textAt } from "../../transfer/json.ts";
import { forEachParallel } from "../../transfer/parallel.ts";
import type { ImportRun } from "./import_run.ts";
import { databaseTexts } from "./objects.ts";
import { isMirror } from "./schemas.ts";
import { divideValues, patchValues } from "./value_requests.ts";
import { writtenValues } from "./values.ts";

/** IDs that one request takes for a relation. */
const MAX_RELATION = 100;

/** Writes relations, and the texts of objects that are `pending`. */
export async function completeObjects(run: ImportRun, pending: ReadonlySet<string>): Promise<void> {
  const { objects } = run.archive;
  const sides = writtenSides(run);
  const open = [...objects.values()].flatMap((object) => {
    const links = linksOf(run, object, sides);
    return pending.has(object.id) || Object.keys(links).length > 0 ? [{ object, links }] : [];
  });
  run.progress.begin("relate rows", open.length);
  await forEachParallel(open, run.api.parallel, async ({ object, links }) => {
    await completeObject(run, object, { links, isPending: pending.has(object.id) });
    run.progress.advance();
  });
}

interface Completion {
  readonly links: JsonObject;
  readonly isPending: boolean;
}

async function completeObject(
  run: ImportRun,
  object: ListedObject,
  { links, isPending }: Completion,
): Promise<void> {
  const { api } = run;
  await run.once(`completed ${object.id}`, async (key) => {
    const here = run.idOf(object.id) ?? "";
    if (object.kind === "database") {
      await api.patch(`/v2/databases/${here}`, databaseTexts(run, object).texts, { key });
      return "done";
    }
    const values = isPending ? (await writtenValues(run, object.record)).properties : {};
    const portions = divideValues({ ...values, ...links });
    await patchValues(run, { id: object.id, here, portions, key });
    return "done";
  });
}

/** The relations of a database that are written, by name. */
type Sides = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Decides which relations are written: of both sides of a dual relation the one whose rows all have
 * few enough links.
 */
function writtenSides({ archive }: ImportRun): Sides {
  const longest = longestLists([...archive.objects.values()]);
  const lengthOf = (id: string, name: string) => longest.get(`${id} ${name}`) ?? 0;
  const databases = [...archive.objects.values()].filter(({ kind }) => kind === "database");
  return new Map(databases.map(({ id, record }) => {
    const properties = objectAt(record, "properties");
    const names = Object.keys(properties).filter((name) => {
      const relation = objectAt(objectAt(properties, name), "relation");
      if (textAt(relation, "database_id") === "") return false;
      if (relation.type !== "dual_property") return true;
      const other = textAt(relation.dual_property, "synced_property_name");
      const isOverlong = lengthOf(id, name) > MAX_RELATION;
      const isOtherOverlong = lengthOf(textAt(relation, "database_id"), other) > MAX_RELATION;
      const mirror = isMirror(archive.objects, record, name);
      return isOverlong === isOtherOverlong ? !mirror : isOtherOverlong;
    });
    return [id, new Set(names)];
  }));
}

function longestLists(objects: readonly ListedObject[]): Map<string, number> {
  const longest = new Map<string, number>();
  for (const { parentId, record } of objects) {
    for (const [name, links] of relationsOf(record)) {
      const key = `${parentId} ${name}`;
      longest.set(key, Math.max(longest.get(key) ?? 0, links.length));
    }
  }
  return longest;
}

function relationsOf(record: JsonObject): [string, readonly JsonObject[]][] {
  if (record.object !== "page") return [];
  const properties = objectAt(record, "properties");
  return Object.keys(properties).filter((name) => objectAt(properties, name).type === "relation")
    .map((name) => [name, objectsAt(objectAt(properties, name), "relation")]);
}

function linksOf(run: ImportRun, { id, parentId, record }: ListedObject, sides: Sides): JsonObject {
  const written = sides.get(parentId ?? "") ?? new Set();
  const entries = relationsOf(record).flatMap(([name, links]) => {
    if (!written.has(name) || links.length === 0) return [];
    const ids = links.flatMap((link) => run.idOf(textAt(link, "id")) ?? []);
    if (ids.length < links.length) {
      run.report.omit(id, `"${name}" leads to rows outside the export`);
    }
    if (ids.length > MAX_RELATION) {
      run.report.omit(id, `"${name}" has more than 100 links on both sides`);
    }
    return ids.length === 0
      ? []
      : [[name, { relation: ids.slice(0, MAX_RELATION).map((one) => ({ id: one })) }]];
  });
  return Object.fromEntries(entries);
}
