/**
 * Values of properties for people: in front matter and CSV.
 *
 * @module
 */
import {
  isObject,
  type Json,
  type JsonObject,
  objectAt,
  objectsAt,
  textAt,
} from "../transfer/json.ts";

export type PlainValue = string | number | boolean | null | readonly PlainValue[];

/** The names of the users, pages and files that values refer to. */
export interface Naming {
  /** Returns a related row for people. */
  readonly row: (id: string) => string;
  /** Returns the path of a file, or its URL. */
  readonly file: (file: JsonObject) => string;
  /** Returns the name of a user. */
  readonly user: (id: string) => string;
}

/** Returns the value of a property; null if it is empty. */
export function plainValue(property: JsonObject, naming: Naming): PlainValue {
  const type = textAt(property, "type");
  return valueOfType(type, property[type] ?? null, naming);
}

const LISTS: Readonly<Record<string, (item: JsonObject, naming: Naming) => string>> = {
  multi_select: (option) => textAt(option, "name"),
  people: ({ id }, { user }) => user(String(id)),
  files: (file, naming) => naming.file(file),
  relation: ({ id }, { row }) => row(String(id)),
};

function valueOfType(type: string, value: Json, naming: Naming): PlainValue {
  if (type === "title" || type === "rich_text") return plainText(value) || null;
  const item = LISTS[type];
  if (item !== undefined) return itemsOf(value).map((one) => item(one, naming));
  if (!isObject(value)) return Array.isArray(value) ? null : value as PlainValue;
  if (type === "select" || type === "status") return textAt(value, "name");
  if (type === "date") return dateText(value);
  if (type === "unique_id") return numberText(value);
  if (type === "created_by" || type === "last_edited_by") return naming.user(textAt(value, "id"));
  if (type === "verification") return textAt(value, "state");
  if (type === "formula" || type === "rollup") return computed(value, naming);
  return null;
}

/** Formulas and rollups hold a value of another type. */
function computed(value: JsonObject, naming: Naming): PlainValue {
  const type = textAt(value, "type");
  if (type !== "array") return valueOfType(type, value[type] ?? null, naming);
  return objectsAt(value, "array").map((item) => plainValue(item, naming));
}

function itemsOf(value: Json): readonly JsonObject[] {
  return objectsAt({ value }, "value");
}

/** Returns the plain text of rich text. */
export function plainText(value: Json | undefined): string {
  return objectsAt({ value }, "value").map((item) => textAt(item, "plain_text")).join("");
}

/** An interval is written as ISO 8601 has it. */
function dateText(date: JsonObject): string {
  const end = textAt(date, "end");
  return end === "" ? textAt(date, "start") : `${textAt(date, "start")}/${end}`;
}

function numberText(value: JsonObject): string {
  const prefix = textAt(value, "prefix");
  return prefix === "" ? String(value.number) : `${prefix}-${value.number}`;
}

/**
 * Returns the emoji, name or path of an icon, or the path of a cover; undefined if there is none.
 */
export function lookText(look: Json | undefined, file: Naming["file"]): string | undefined {
  if (!isObject(look)) return undefined;
  if (look.type === "emoji") return textAt(look, "emoji");
  const type = textAt(look, "type");
  const isNamed = type === "custom_emoji" || type === "icon";
  return isNamed ? textAt(objectAt(look, type), "name") : file(look);
}
