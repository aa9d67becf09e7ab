/**
 * The losses of a mirror: each run reports them again until the objects that they are about change.
 *
 * @module
 */
import type { ExportFolder } from "../../export/folder.ts";
import { COMMENTS, FOLDERS } from "../../export/jsonl_format.ts";
import type { ListedObject } from "../../export/listing.ts";
import type { Journal } from "../../transfer/journal.ts";
import type { Report } from "../../transfer/report.ts";
import type { ImportContext } from "../source.ts";

const PREFIX = "loss ";

/** Returns the context with a report that also remembers what it omits. */
export function withRememberedLosses(context: ImportContext): ImportContext {
  const { report, journal } = context;
  const omit: Report["omit"] = (where, reason) => {
    report.omit(where, reason);
    const key = PREFIX + JSON.stringify([where, reason]);
    if (journal.get(key) === undefined) journal.put(key, journal.get("generation") ?? "");
  };
  return { ...context, report: { ...report, omit } };
}

/** Forgets what earlier runs lost of objects that are written again. */
export function forgetLosses(
  journal: Journal,
  folder: ExportFolder,
  changed: readonly ListedObject[],
): void {
  const losses = lossesIn(journal);
  if (losses.length === 0) return;
  const texts = changed.map(({ id, kind }) =>
    (folder.read(`${FOLDERS[kind]}/${id}.jsonl`) ?? "") +
    (folder.read(`${COMMENTS}/${id}.jsonl`) ?? "")
  );
  for (const { key, where } of losses) {
    const [id = where] = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(where) ?? [];
    if (texts.some((text) => text.includes(`"id":"${id}"`))) journal.forget(key);
  }
}

/** Returns whether a key in the journal is about a loss of this object. */
export function isLossOf(key: string, id: string): boolean {
  return key.startsWith(PREFIX) && key.includes(id);
}

/** Reports what earlier runs lost, and is as it was. */
export function reportEarlierLosses({ journal, report }: ImportContext): void {
  const told = new Set(report.omissions());
  for (const { where, reason } of lossesIn(journal)) {
    if (!told.has(`${where}: ${reason}`)) report.omit(where, reason);
  }
}

interface Loss {
  readonly key: string;
  readonly where: string;
  readonly reason: string;
}

function lossesIn(journal: Journal): Loss[] {
  return [...journal.keys()].filter((key) => key.startsWith(PREFIX)).map((key) => {
    // Sound because `withRememberedLosses()` wrote it.
    const [where, reason] = JSON.parse(key.slice(PREFIX.length)) as [string, string];
    return { key, where, reason };
  });
}
