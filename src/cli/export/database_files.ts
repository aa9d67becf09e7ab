/**
 * The files of a database: its rows as CSV, and its schema.
 *
 * @module
 */
import { posix } from "node:path";
import { type JsonObject, objectAt, textAt } from "../transfer/json.ts";
import type { ListedObject } from "./listing.ts";
import type { Paths } from "./markdown_paths.ts";
import { type Naming, type PlainValue, plainValue } from "./plain_values.ts";

/** Name of the schema, next to the CSV. */
export const SCHEMA = "_schema.json";

/** The column with the file of each row. */
const FILE = "file";

/** Returns the CSV (RFC 4180 but with LF) of a database: title first, and the file of each row last. */
export function csvOf(
  database: ListedObject,
  rows: readonly ListedObject[],
  { paths, naming }: { readonly paths: Paths; readonly naming: Naming },
): string {
  const names = columnsOf(database.record);
  const header = [...names, names.includes(FILE) ? `${FILE} (row)` : FILE];
  const lines = rows.map(({ id, record }) => {
    const properties = objectAt(record, "properties");
    const values = names.map((name) => cellText(plainValue(objectAt(properties, name), naming)));
    return [...values, posix.basename(paths.get(id) ?? "")];
  });
  return [header, ...lines].map((cells) => `${cells.map(csvCell).join(",")}\n`).join("");
}

/** A cell as RFC 4180 section 2 has it; also what begins or ends with spaces, which some drop, is quoted. */
function csvCell(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function columnsOf(record: JsonObject): string[] {
  const properties = objectAt(record, "properties");
  const isTitle = (name: string): boolean => textAt(objectAt(properties, name), "type") === "title";
  const names = Object.keys(properties);
  return [...names.filter(isTitle), ...names.filter((name) => !isTitle(name))];
}

function cellText(value: PlainValue): string {
  if (value === null) return "";
  return Array.isArray(value) ? value.map(cellText).join(", ") : String(value);
}

/** Returns title, description, look and properties of a database as JSON. */
export function schemaOf(record: JsonObject): string {
  const { id, title, description, icon, cover, is_inline, properties } = record;
  const schema = { id, title, description, icon, cover, is_inline, properties };
  return `${JSON.stringify(schema, null, 2)}\n`;
}
