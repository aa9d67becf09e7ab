/**
 * Brings the properties of a database that was written before to what they are now.
 *
 * @module
 */
import type { ListedObject } from "../../export/listing.ts";
import { isObject, type Json, type JsonObject, objectAt, textAt } from "../../transfer/json.ts";
import { type ImportRun, refusalOf } from "../jsonl/import_run.ts";
import { DEPENDENT, firstConfig, isMirror } from "../jsonl/schemas.ts";

/** Remembers the properties of a database as they were written. */
export function rememberSchema(
  put: (key: string, value: string) => void,
  { id, record }: ListedObject,
): void {
  put(schemaKey(id), JSON.stringify(objectAt(record, "properties")));
}

function schemaKey(id: string): string {
  return `schema ${id}`;
}

/**
 * Renames, removes, changes and adds properties. Those that depend on others are forgotten, so that
 * they are written once all databases are there.
 */
export async function prepareSchema(run: ImportRun, object: ListedObject): Promise<void> {
  const { id, record } = object;
  const properties: Record<string, Json> = {};
  const now = objectAt(record, "properties");
  const before = parse(run.journal.get(schemaKey(id)));
  const oldNames = new Map(Object.keys(before).map((name) => [idOf(before, name), name]));
  for (const [propertyId, name] of oldNames) {
    const isGone = !Object.keys(now).some((other) => idOf(now, other) === propertyId);
    if (isGone) properties[name] = null;
    if (isGone) run.journal.forget(`property ${id} ${name}`);
  }
  for (const name of Object.keys(now)) {
    const oldName = oldNames.get(idOf(now, name));
    const change = changeOf(
      { run, object, name },
      oldName === undefined ? {} : {
        name: oldName,
        property: objectAt(before, oldName),
      },
    );
    if (Object.keys(change).length > 0) properties[oldName ?? name] = change;
  }
  if (Object.keys(properties).length === 0) return;
  try {
    await run.api.patch(`/v2/databases/${run.idOf(id)}`, { properties });
  } catch (error) {
    run.report.omit(`properties of ${id}`, refusalOf(error));
  }
}

interface Place {
  readonly run: ImportRun;
  readonly object: ListedObject;
  readonly name: string;
}

interface Before {
  readonly name?: string;
  readonly property?: JsonObject;
}

/** Returns what to write of a property; nothing if it stays as it is, or is written later. */
function changeOf({ run, object, name }: Place, before: Before): JsonObject {
  const { id, record } = object;
  const property = objectAt(objectAt(record, "properties"), name);
  const type = textAt(property, "type");
  const rename = before.name !== undefined && before.name !== name ? { name } : {};
  const isSame = JSON.stringify(configOf(before.property)) === JSON.stringify(configOf(property));
  if (DEPENDENT.includes(type)) {
    if (!isSame) run.journal.forget(`property ${id} ${name}`);
    else if (before.name !== undefined && before.name !== name) {
      run.journal.put(`property ${id} ${name}`, "done");
    }
    return rename;
  }
  if (isSame || isMirror(run.archive.objects, record, name)) return rename;
  return { ...rename, ...firstConfig(property) };
}

function configOf(property: JsonObject | undefined): Json {
  const type = textAt(property, "type");
  return { type, config: property?.[type] ?? null };
}

function idOf(properties: JsonObject, name: string): string {
  return textAt(properties[name], "id");
}

function parse(text: string | undefined): JsonObject {
  const value: unknown = text === undefined ? {} : JSON.parse(text);
  return isObject(value) ? value : {};
}
