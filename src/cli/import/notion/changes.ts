/**
 * Finds which objects of a mirror differ from what was written.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { ExportFolder } from "../../export/folder.ts";
import { COMMENTS, FOLDERS } from "../../export/jsonl_format.ts";
import type { ListedObject } from "../../export/listing.ts";
import type { ImportRun } from "../jsonl/import_run.ts";

export interface Changes {
  /** Objects that were written as a whole before, and differ now; parents first. */
  readonly changed: readonly ListedObject[];
  /** The fingerprints of all objects, by ID. */
  readonly fingerprints: ReadonlyMap<string, string>;
}

/** The key in the journal for what was written of an object. */
export function fingerprintKey(id: string): string {
  return `fingerprint ${id}`;
}

/** Members that differ though nothing changed that is written. */
const VOLATILE = /"(?:read_time|last_edited_time)":"[^"]*",?/g;
const EDITOR = /"last_edited_by":\{[^}]*\},?/g;
const COPIED = /"synced_from":\{[^}]*"block_id":"([0-9a-f-]{36})"/g;

export function findChanges(run: ImportRun, folder: ExportFolder): Changes {
  const { objects, originals } = run.archive;
  const changed = new Set<string>();
  const fingerprints = new Map<string, string>();
  const copies = new Map<string, readonly string[]>();
  const rewritten = new Set<string>();
  for (const { id, kind } of objects.values()) {
    const text = folder.read(`${FOLDERS[kind]}/${id}.jsonl`) ?? "";
    const comments = folder.read(`${COMMENTS}/${id}.jsonl`) ?? "";
    const fingerprint = fingerprintOf(text + comments);
    fingerprints.set(id, fingerprint);
    copies.set(id, [...text.matchAll(COPIED)].map(([, original = ""]) => original));
    const before = run.journal.get(fingerprintKey(id));
    if (before === undefined || before === fingerprint) continue;
    changed.add(id);
    for (const original of originals) {
      if (text.includes(`"id":"${original}"`)) rewritten.add(original);
    }
  }
  // A copy shows its original, which has another ID once it is written again.
  for (const [id, found] of copies) {
    const isKnown = run.journal.get(fingerprintKey(id)) !== undefined;
    if (isKnown && found.some((original) => rewritten.has(original))) changed.add(id);
  }
  return { changed: [...objects.values()].filter(({ id }) => changed.has(id)), fingerprints };
}

function fingerprintOf(text: string): string {
  const stable = text.replace(VOLATILE, "").replace(EDITOR, "");
  return createHash("sha256").update(stable).digest("hex").slice(0, 32);
}
