/**
 * Writes the folder of a mirror: new objects are imported like an export, changed ones are written
 * again, and what was deleted goes to the trash.
 *
 * @module
 */
import type { ExportFolder } from "../../export/folder.ts";
import { FOLDERS } from "../../export/jsonl_format.ts";
import type { ListedObject } from "../../export/listing.ts";
import { ApiError } from "../../transfer/api_error.ts";
import { textAt } from "../../transfer/json.ts";
import { forEachParallel } from "../../transfer/parallel.ts";
import { writeContents } from "../jsonl.ts";
import { type Archive, readArchive } from "../jsonl/archive.ts";
import { writeComments } from "../jsonl/comments.ts";
import { createImportRun, type ImportRun } from "../jsonl/import_run.ts";
import { createObjects } from "../jsonl/objects.ts";
import { completeObjects } from "../jsonl/relations.ts";
import type { ImportContext } from "../source.ts";
import { type Changes, findChanges, fingerprintKey } from "./changes.ts";
import { DELETED } from "./read_workspace.ts";
import { forgetLosses, isLossOf, reportEarlierLosses, withRememberedLosses } from "./losses.ts";
import { resetContent } from "./reset_content.ts";
import { namedUsers } from "./named_users.ts";
import { prepareSchema, rememberSchema } from "./update_schema.ts";
import { moveObject, parentKey, updateObject } from "./update_object.ts";

export interface MirrorOptions {
  readonly folder: ExportFolder;
  /**
   * The generation of the folder: each has new idempotency keys for objects that are written again.
   */
  readonly generation: number;
  readonly users: ReadonlyMap<string, string>;
}

/** Writes everything that differs from what the journal has as written. */
export async function writeMirror(
  path: string,
  given: ImportContext,
  { folder, generation, users }: MirrorOptions,
): Promise<void> {
  const context = withRememberedLosses(given);
  const { journal, progress } = context;
  beginGeneration(context, generation);
  progress.begin("check what was read");
  const read = await readArchive(path);
  const archive = namedUsers(read, await missingUsers(context, read, users));
  const run = createImportRun(context, archive, users);
  await trashDeleted(run, folder);
  await restoreReturned(run);
  const changes = findChanges(run, folder);
  if (journal.get("losses of") !== String(generation)) {
    forgetLosses(journal, folder, changes.changed);
    journal.put("losses of", String(generation));
  }
  await prepareChanges(run, { changes, generation });
  const pending = await createObjects(run);
  await updateChanged(run, { changes, generation });
  await completeObjects(run, pending);
  await writeContents(run);
  await writeComments(run);
  for (const [id, fingerprint] of changes.fingerprints) {
    const object = archive.objects.get(id);
    if (object !== undefined) rememberWritten(run, object, fingerprint);
  }
  journal.put("written", String(generation));
  reportEarlierLosses(given);
}

/** Idempotency keys contain the ID of the run, so that a write may differ from one before. */
function beginGeneration({ journal }: ImportContext, generation: number): void {
  if (journal.get("generation") === String(generation)) return;
  journal.put("run", crypto.randomUUID());
  journal.put("generation", String(generation));
}

function rememberWritten({ journal }: ImportRun, object: ListedObject, fingerprint: string): void {
  const put = (key: string, value: string): void => {
    if (journal.get(key) !== value) journal.put(key, value);
  };
  put(fingerprintKey(object.id), fingerprint);
  put(parentKey(object.id), object.parentId ?? "");
  if (object.kind === "database") rememberSchema(put, object);
}

/** Resolves to the IDs of users who are unknown here. */
async function missingUsers(
  { api, report }: ImportContext,
  { users: named }: Archive,
  users: ReadonlyMap<string, string>,
): Promise<Set<string>> {
  const missing = new Set<string>();
  await forEachParallel(named, api.parallel, async ([id, user]) => {
    try {
      await api.get(`/v2/users/${users.get(id) ?? id}`);
    } catch (error) {
      if (!isRefused(error)) throw error;
      missing.add(id);
      report.alter(`${id} (${textAt(user, "name")})`, "is no user here: mentions are the name");
    }
  });
  return missing;
}

/** Returns whether the API refused a request because of what it is about. */
function isRefused(error: unknown): error is ApiError {
  return error instanceof ApiError && [400, 404].includes(error.status);
}

const TRASHED = "trashed";

async function trashDeleted(run: ImportRun, folder: ExportFolder): Promise<void> {
  const names = folder.list(DELETED);
  run.progress.begin("move to the trash", names.length);
  await forEachParallel(names, run.api.parallel, async (name) => {
    const { id, object } = JSON.parse(folder.read(name) ?? "{}");
    const here = run.idOf(String(id));
    if (here !== undefined) {
      const kind = object === "database" ? FOLDERS.database : FOLDERS.page;
      const isDone = await succeeds(run.api.delete(`/v2/${kind}/${here}`));
      if (isDone) run.report.count("moved to the trash");
      run.journal.put(`${TRASHED} ${id}`, "yes");
    }
    for (const key of [...run.journal.keys()]) {
      if (isLossOf(key, String(id))) run.journal.forget(key);
    }
    folder.remove(name);
    run.progress.advance();
  });
}

/**
 * Returns false if the object was deleted with its parent, or for good: then nothing is left to do.
 */
async function succeeds(request: Promise<unknown>): Promise<boolean> {
  try {
    await request;
    return true;
  } catch (error) {
    if (!isRefused(error)) throw error;
    return false;
  }
}

/** Restores here what was restored there, parents first. */
async function restoreReturned(run: ImportRun): Promise<void> {
  for (const { id, kind } of run.archive.objects.values()) {
    if (run.journal.get(`${TRASHED} ${id}`) === undefined) continue;
    const path = `/v2/${FOLDERS[kind]}/${run.idOf(id)}`;
    if (!await succeeds(run.api.patch(path, { in_trash: false }))) {
      run.report.omit(id, "came back there, but cannot be restored from the trash here");
    }
    run.journal.forget(`${TRASHED} ${id}`);
  }
}

interface Changing {
  readonly changes: Changes;
  readonly generation: number;
}

/** Empties what is written again; an interrupted run does not do it twice. */
async function prepareChanges(run: ImportRun, { changes, generation }: Changing): Promise<void> {
  run.progress.begin("remove what changed", changes.changed.length);
  await forEachParallel(changes.changed, run.api.parallel, async (object) => {
    const key = `prepared ${object.id}`;
    if (run.journal.get(key) !== String(generation)) {
      if (object.kind === "page") await resetContent(run, object.id, generation);
      else await prepareSchema(run, object);
      run.journal.put(key, String(generation));
    }
    run.progress.advance();
  });
}

async function updateChanged(run: ImportRun, { changes, generation }: Changing): Promise<void> {
  run.progress.begin("update what changed", changes.changed.length);
  await forEachParallel(changes.changed, run.api.parallel, async (object) => {
    const name = `updated ${object.id} ${generation}`;
    await run.once(name, async () => {
      await moveObject(run, object);
      await updateObject(run, object);
      run.report.count("updated");
      return "done";
    });
    run.progress.advance();
  });
}
