/**
 * Chooses an archive: by its name or by its time.
 *
 * @module
 */
import { basename, dirname } from "node:path";
import type { BackupTarget } from "../../config/backups.ts";
import { OperatorError } from "../../store/operator_error.ts";
import { UsageError } from "../options.ts";
import { openPlace, type Place, type StoredArchive, timeOfArchive } from "./place.ts";

/** An archive in its place. */
export interface ChosenArchive {
  readonly place: Place;
  readonly name: string;
}

/** The place and the name of an archive with this path or URL. */
export function splitArchive(archive: string): { readonly place: string; readonly name: string } {
  const cut = archive.lastIndexOf("/");
  return archive.startsWith("s3://")
    ? { place: archive.slice(0, cut), name: archive.slice(cut + 1) }
    : { place: dirname(archive), name: basename(archive) };
}

/** Returns the archive with this path or URL, whose place the configuration has. */
export function namedArchive(archive: string, target: BackupTarget): ChosenArchive {
  return { place: openPlace(target), name: splitArchive(archive).name };
}

/** Returns the latest archive that is not after `time`. */
export async function archiveAt(target: BackupTarget, time: number): Promise<ChosenArchive> {
  const place = openPlace(target);
  const archives = await place.list();
  const chosen = archives.findLast(({ name }) => (timeOfArchive(name) ?? Infinity) <= time);
  if (chosen !== undefined) return { place, name: chosen.name };
  const [first] = archives;
  throw new OperatorError(
    first === undefined
      ? `There is no backup in ${place.describe("")}`
      : `There is no backup from before ${shownTime(time)}: the first is ${first.name}`,
  );
}

const TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?(Z|[+-]\d\d:\d\d)?)?$/;

/** Parses a time, in UTC unless it says otherwise; a date is its end. Throws `UsageError`. */
export function parseTime(text: string): number {
  const [match, zone] = TIME.exec(text) ?? [];
  const time = match === undefined
    ? NaN
    : text.includes("T")
    ? Date.parse(zone === undefined ? `${text}Z` : text)
    : Date.parse(text) + 86_399_999;
  if (Number.isNaN(time)) {
    throw new UsageError(`--at must be a time such as 2026-11-22T10:00, in UTC: "${text}"`);
  }
  return time;
}

/** A time for people. */
export function shownTime(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}

/** One line for each archive, oldest first. */
export function describeArchives(
  archives: readonly StoredArchive[],
  bytesOf: (bytes: number) => string,
): string {
  return archives.map(({ name, size }) =>
    `${shownTime(timeOfArchive(name) ?? 0)}  ${bytesOf(size).padStart(9)}  ${name}\n`
  ).join("");
}
