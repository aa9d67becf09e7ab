/**
 * The format of an export as JSON lines. `docs/transfer.md` describes it.
 *
 * @module
 */
import * as v from "valibot";
import type { ExportedFile } from "./files.ts";

/** Names the format and version of a folder. */
export const MANIFEST = "recto-export.json";
export const FORMAT = "recto-jsonl";
export const VERSION = 1;

export const USERS = "users.jsonl";
export const FILES = "files.jsonl";
export const FOLDERS = { page: "pages", database: "databases" } as const;
/** One file for each page or database that has comments. */
export const COMMENTS = "comments";

export const manifestSchema = v.looseObject({
  format: v.literal(FORMAT),
  version: v.literal(VERSION),
  /** Origin of the links between pages. */
  origin: v.string(),
  /** The page or database of a subtree; null of a whole workspace. */
  root: v.nullable(v.string()),
  /** False while an export is under way. */
  complete: v.boolean(),
  pages: v.number(),
  databases: v.number(),
});
export type Manifest = v.InferOutput<typeof manifestSchema>;

/** The place of a file in the folder and in the lists of the export. */
export const fileSchema = v.object({
  id: v.string(),
  path: v.pipe(v.string(), v.regex(/^files\/[0-9a-f-]{36}\/[^/\\]+$/)),
  name: v.string(),
  contentType: v.string(),
  size: v.number(),
  sha256: v.string(),
}) satisfies v.GenericSchema<unknown, ExportedFile>;

/** Returns values as JSON lines. */
export function toLines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}
