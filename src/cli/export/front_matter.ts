/**
 * The front matter of a page: its ID, title, times and look, and the values of a row.
 *
 * @module
 */
import { stringify } from "@std/yaml/stringify";
import { type JsonObject, objectAt, textAt } from "../transfer/json.ts";
import { isRow } from "./context.ts";
import { type ListedObject, titleOf } from "./listing.ts";
import { lookText, type Naming, type PlainValue, plainValue } from "./plain_values.ts";

const OWN = ["id", "title", "created", "updated", "icon", "cover"];

/** Returns the front matter with its fences. Empty values are left out. */
export function frontMatter(object: ListedObject, naming: Naming): string {
  const { id, record, createdTime, editedTime } = object;
  const own = {
    id,
    title: titleOf(object),
    created: createdTime,
    updated: editedTime,
    icon: lookText(record.icon, naming.file) ?? null,
    cover: lookText(record.cover, naming.file) ?? null,
  };
  const values = isRow(record) ? valuesOf(record, naming) : [];
  const entries = [...Object.entries(own), ...values].filter(([, value]) => !isEmpty(value));
  const yaml: string = stringify(Object.fromEntries(entries), { lineWidth: -1 });
  return `---\n${yaml}---\n`;
}

function valuesOf(record: JsonObject, naming: Naming): [string, PlainValue][] {
  const properties = objectAt(record, "properties");
  return Object.keys(properties).flatMap((name) => {
    const property = objectAt(properties, name);
    return textAt(property, "type") === "title"
      ? []
      : [[keyOf(name), plainValue(property, naming)]];
  });
}

/** A property that is called like a member of its own gets another name. */
function keyOf(name: string): string {
  return OWN.includes(name) ? `${name} (property)` : name;
}

function isEmpty(value: PlainValue): boolean {
  return value === null || value === "" || (Array.isArray(value) && value.length === 0);
}

/** Returns the text behind the front matter of a file that was exported before. */
export function bodyOf(file: string): string {
  const end = file.indexOf("\n---\n", 4);
  return end < 0 ? file : file.slice(end + "\n---\n".length);
}
