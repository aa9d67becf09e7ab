/**
 * The objects that a mirror's folder has from earlier readings.
 *
 * @module
 */
import type { ExportFolder } from "../../export/folder.ts";
import { COMMENTS, FOLDERS } from "../../export/jsonl_format.ts";
import { isObject, type JsonObject, textAt } from "../../transfer/json.ts";

export interface Stored {
  readonly record: JsonObject;
  /** ISO 8601 time before the object was read. */
  readonly readTime: string;
  /** Returns whether an object as it is now is the one that was read. */
  isCurrent(now: JsonObject): boolean;
}

/** Milliseconds that a clock may differ, and in which edits have the same rounded time. */
const UNCERTAIN = 120_000;

/** A file that could not be downloaded; another reading tries again. */
const MISSING_FILE = '{"path":null}';

/** Returns what the folder has, by ID. */
export function storedIn(folder: ExportFolder): Map<string, Stored> {
  const stored = new Map<string, Stored>();
  for (const name of Object.values(FOLDERS).flatMap((name) => folder.list(name))) {
    const text = folder.read(name) ?? "";
    const record: unknown = JSON.parse(text.slice(0, text.indexOf("\n")));
    if (!isObject(record)) continue;
    const id = textAt(record, "id");
    const comments = folder.read(`${COMMENTS}/${id}.jsonl`) ?? "";
    stored.set(id, toStored(record, (text + comments).includes(MISSING_FILE)));
  }
  return stored;
}

/**
 * The vendor rounds times of edits to the minute: an edit right after the reading may have the same
 * time as the one before.
 */
function toStored(record: JsonObject, isMissingFile: boolean): Stored {
  const readTime = textAt(record, "read_time");
  const edited = textAt(record, "last_edited_time");
  const isRounded = /:00\.000Z$/.test(edited);
  const isCertain = !isRounded || Date.parse(readTime) - Date.parse(edited) > UNCERTAIN;
  return {
    record,
    readTime,
    isCurrent: (now) => isCertain && !isMissingFile && textAt(now, "last_edited_time") === edited,
  };
}
