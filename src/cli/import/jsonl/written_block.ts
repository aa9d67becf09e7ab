/**
 * Turns a block as the API returned it into one that it takes.
 *
 * @module
 */
import { type Json, type JsonObject, objectAt, textAt } from "../../transfer/json.ts";
import type { ImportRun } from "./import_run.ts";
import { writtenFile, writtenId, writtenText } from "./values.ts";

/** Types that clients cannot create. */
const READ_ONLY = new Set(["template", "link_preview", "unsupported"]);
const MEDIA = new Set(["image", "video", "pdf", "audio", "file"]);

/** Returns the value of a block without children; undefined, and reports it, if it cannot be written. */
export async function writtenBlock(
  run: ImportRun,
  block: JsonObject,
  where: string,
): Promise<JsonObject | undefined> {
  const type = textAt(block, "type");
  if (READ_ONLY.has(type)) {
    run.report.omit(where, `a block of type ${type} cannot be created`);
    return undefined;
  }
  const value: Record<string, Json | undefined> = { ...objectAt(block, type) };
  for (const name of ["rich_text", "caption"]) {
    if (name in value) value[name] = writtenText(run, value[name], where).items;
  }
  if (type === "table_row") value.cells = writtenCells(run, value.cells, where);
  if (type === "callout") value.icon = await writtenFile(run, value.icon, where);
  if (type === "link_to_page") return writtenLink(run, value, where);
  return MEDIA.has(type) ? await writtenMedia(run, value, where) : value;
}

function writtenCells(run: ImportRun, cells: Json | undefined, where: string): Json {
  return (Array.isArray(cells) ? cells : []).map((cell) => writtenText(run, cell, where).items);
}

function writtenLink(run: ImportRun, value: JsonObject, where: string): JsonObject {
  const type = textAt(value, "type");
  return { [type]: writtenId(run, textAt(value, type), where) };
}

async function writtenMedia(
  run: ImportRun,
  { type, external, file, ...rest }: JsonObject,
  where: string,
): Promise<JsonObject | undefined> {
  if (type === "external") return { ...rest, external };
  const written = await writtenFile(run, { type: "file", file }, where);
  return written === null ? undefined : { ...rest, ...written };
}
