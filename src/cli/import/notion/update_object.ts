/**
 * Writes the values and the place of objects that were written before and changed since.
 *
 * @module
 */
import type { ListedObject } from "../../export/listing.ts";
import { ApiError } from "../../transfer/api_error.ts";
import { type JsonObject, objectAt, objectsAt, textAt } from "../../transfer/json.ts";
import { type ImportRun, refusalOf } from "../jsonl/import_run.ts";
import { databaseTexts, look } from "../jsonl/objects.ts";
import { divideValues, patchValues } from "../jsonl/value_requests.ts";
import { writtenValues } from "../jsonl/values.ts";

/** IDs that one request takes for a relation. */
const MAX_RELATION = 100;

/** The key in the journal for the parent under which an object was written. */
export function parentKey(id: string): string {
  return `parent ${id}`;
}

/** Moves a page that is in another page or database than before. */
export async function moveObject(run: ImportRun, object: ListedObject): Promise<void> {
  const { id, kind, parentId = "" } = object;
  const before = run.journal.get(parentKey(id));
  if (before === undefined || before === parentId) return;
  if (kind === "database") {
    run.report.omit(id, "a database was moved there, which the API here cannot do");
    return;
  }
  const { type: _type, ...parent } = parentHere(run, parentId);
  try {
    await run.api.post(`/v1/pages/${run.idOf(id)}/move`, { parent });
  } catch (error) {
    // Without `/v1`, a server has no such route.
    const isRefused = error instanceof ApiError && [400, 404].includes(error.status);
    if (!isRefused) throw error;
    run.report.omit(id, `was moved there, but not here: ${error.message}`);
  }
}

function parentHere(run: ImportRun, parentId: string): JsonObject {
  const here = run.idOf(parentId);
  if (here === undefined) return run.parent;
  const isDatabase = run.archive.objects.get(parentId)?.kind === "database";
  return isDatabase ? { database_id: here } : { page_id: here };
}

/** Writes title, values, relations, icon and cover of an object. */
export async function updateObject(run: ImportRun, object: ListedObject): Promise<void> {
  const { id, kind, record } = object;
  try {
    if (kind === "database") {
      const { texts } = databaseTexts(run, object);
      await run.api.patch(`/v2/databases/${run.idOf(id)}`, {
        ...texts,
        ...await look(run, object),
      });
      return;
    }
    const values = await writtenValues(run, record);
    const here = run.idOf(id) ?? "";
    const [properties, ...portions] = divideValues({
      ...values.properties,
      ...relationsOf(run, object),
    });
    await run.api.patch(`/v2/pages/${here}`, { properties, ...await look(run, object) });
    await patchValues(run, { id, here, portions, key: undefined });
  } catch (error) {
    run.report.omit(id, refusalOf(error));
  }
}

/** All relations of a row, also those that are empty now. */
function relationsOf(run: ImportRun, { id, record }: ListedObject): JsonObject {
  const properties = objectAt(record, "properties");
  const names = Object.keys(properties)
    .filter((name) => objectAt(properties, name).type === "relation");
  return Object.fromEntries(names.map((name) => {
    const links = objectsAt(objectAt(properties, name), "relation");
    const ids = links.flatMap((link) => run.idOf(textAt(link, "id")) ?? []);
    if (ids.length < links.length) {
      run.report.omit(id, `"${name}" leads to rows outside of what is imported`);
    }
    if (ids.length > MAX_RELATION) run.report.omit(id, `"${name}" has more than 100 links`);
    return [name, { relation: ids.slice(0, MAX_RELATION).map((one) => ({ id: one })) }];
  }));
}
