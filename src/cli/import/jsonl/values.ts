/**
 * Turns values as the API returned them into values that it takes: IDs of objects become their IDs
 * here, files become uploads, and what is computed is left out.
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
} from "../../transfer/json.ts";
import type { ImportRun } from "./import_run.ts";

/** Rich text as the API takes it. */
export interface WrittenText {
  readonly items: readonly JsonObject[];
  /** True if it names objects that are not written yet, and has to be written again. */
  readonly isPending: boolean;
}

/** Turns rich text into its written form; `where` names what it is part of. */
export function writtenText(run: ImportRun, value: Json | undefined, where: string): WrittenText {
  let isPending = false;
  const items = (Array.isArray(value) ? value : []).filter(isObject).map((item) => {
    const { type, annotations } = item;
    const style = isObject(annotations) ? { annotations } : {};
    if (type === "equation") return { equation: objectAt(item, "equation"), ...style };
    if (type === "text") return { text: writtenLink(run, objectAt(item, "text")), ...style };
    const mention = writtenMention(run, objectAt(item, "mention"), where);
    if (mention !== undefined && mention !== "pending") return { mention, ...style };
    if (mention === "pending") isPending = true;
    return { text: asText(item), ...style };
  });
  return { items, isPending };
}

/** A mention that cannot be written stays as what it reads as, with its link. */
function asText(item: JsonObject): JsonObject {
  const url = textAt(item, "href");
  return { content: textAt(item, "plain_text"), link: url === "" ? null : { url } };
}

/** Links to pages of the archive lead to the pages here. */
function writtenLink(run: ImportRun, text: JsonObject): JsonObject {
  const { content, link } = text;
  const url = textAt(link, "url");
  return { content: content ?? "", link: url === "" ? null : { url: movedUrl(run, url) } };
}

const COMPACT_ID = /[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

function movedUrl(run: ImportRun, url: string): string {
  const { origin } = run.archive.manifest;
  const here = run.origin();
  if (here === undefined || !url.startsWith(`${origin}/`)) return url;
  const [found] = COMPACT_ID.exec(url) ?? [];
  const id = found && run.idOf(dashed(found));
  if (found === undefined || id === undefined) return url;
  const shown = found.includes("-") ? id : id.replaceAll("-", "");
  return here + url.slice(origin.length).replace(found, shown);
}

function dashed(id: string): string {
  return id.replaceAll("-", "").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

const REFERENCES = ["page", "database"] as const;

function writtenMention(
  run: ImportRun,
  mention: JsonObject,
  where: string,
): JsonObject | "pending" | undefined {
  const type = textAt(mention, "type");
  if (type === "user") {
    return { user: { id: userId(run, textAt(objectAt(mention, "user"), "id")) } };
  }
  const reference = REFERENCES.find((name) => name === type);
  if (reference !== undefined) {
    const id = writtenId(run, textAt(objectAt(mention, reference), "id"), where);
    return id === "pending" ? id : { [reference]: { id } };
  }
  if (type === "link_preview" || type === "link_mention") {
    run.report.alter(where, "a preview of a link became the link, because previews are read-only");
    return undefined;
  }
  return mention;
}

/** Returns the ID here of a page or database; one outside the archive keeps its ID. */
export function writtenId(run: ImportRun, id: string, where: string): string {
  const here = run.idOf(id);
  if (here !== undefined) return here;
  if (run.archive.objects.has(id)) return "pending";
  run.report.alter(where, "names an object outside the export, and keeps its old ID");
  return id;
}

/** Returns the ID of a user here; without a mapping it stays the same. */
export function userId({ users }: ImportRun, id: string): string {
  return users.get(id) ?? id;
}

/**
 * Turns an icon, cover, image or file property into its written form; null if there is none or its
 * file is missing.
 */
export async function writtenFile(
  run: ImportRun,
  value: Json | undefined,
  where: string,
): Promise<JsonObject | null> {
  if (!isObject(value)) return null;
  const path = textAt(value.file, "path");
  if (value.type !== "file") return value;
  if (run.archive.files.has(path)) return { file_upload: { id: await run.upload(path) } };
  run.report.omit(where, "a file is missing in the export");
  return null;
}

/** Types of properties whose values are written as they are read. */
const PLAIN = new Set(["number", "date", "checkbox", "url", "email", "phone_number", "place"]);

export interface WrittenValues {
  /** Values by name of the property. */
  readonly properties: JsonObject;
  readonly isPending: boolean;
}

/** Turns the values of a page or row into their written form, but for relations. */
export async function writtenValues(
  run: ImportRun,
  record: JsonObject,
): Promise<WrittenValues> {
  const properties: Record<string, Json> = {};
  const where = textAt(record, "id");
  let isPending = false;
  for (const [name, property] of Object.entries(objectAt(record, "properties"))) {
    if (!isObject(property)) continue;
    const type = textAt(property, "type");
    const value = property[type];
    if (type === "title" || type === "rich_text") {
      const text = writtenText(run, value, where);
      isPending ||= text.isPending;
      properties[name] = { [type]: text.items };
    } else {
      const written = await writtenValue(run, { type, value: value ?? null, where });
      if (written !== undefined) properties[name] = { [type]: written };
    }
  }
  return { properties, isPending };
}

interface Value {
  readonly type: string;
  readonly value: Json;
  readonly where: string;
}

async function writtenValue(
  run: ImportRun,
  { type, value, where }: Value,
): Promise<Json | undefined> {
  if (PLAIN.has(type)) return value;
  // Options have other IDs here.
  if (type === "select" || type === "status") {
    return isObject(value) ? { name: textAt(value, "name") } : null;
  }
  if (type === "multi_select") {
    return itemsOf(value).map((option) => ({ name: textAt(option, "name") }));
  }
  if (type === "people") {
    return itemsOf(value).map((user) => ({ id: userId(run, textAt(user, "id")) }));
  }
  if (type === "files") {
    const files = await Promise.all(itemsOf(value).map((file) => namedFile(run, file, where)));
    return files.filter((file) => file !== null);
  }
  if (type === "verification" && textAt(value, "state") === "verified") {
    run.report.alter(
      where,
      "is verified by you and from now on, because nobody verifies for others",
    );
    return { state: "verified" };
  }
  return undefined;
}

function itemsOf(value: Json): readonly JsonObject[] {
  return objectsAt({ value }, "value");
}

async function namedFile(
  run: ImportRun,
  file: JsonObject,
  where: string,
): Promise<JsonObject | null> {
  const written = await writtenFile(run, file, where);
  return written === null ? null : { ...written, name: textAt(file, "name") };
}
