/**
 * One run of an import of JSON lines: which object of the archive became which object here.
 *
 * @module
 */
import { isRefusal } from "../../transfer/api_error.ts";
import type { JsonObject } from "../../transfer/json.ts";
import type { ImportContext } from "../source.ts";
import type { Archive } from "./archive.ts";

export interface ImportRun extends ImportContext {
  readonly archive: Archive;
  /** New IDs of users, by their old IDs. */
  readonly users: ReadonlyMap<string, string>;
  /** Origin of links here; known once the first object is written. */
  origin(): string | undefined;
  setOrigin(origin: string): void;
  /** Returns the ID here of a page, database or synced block. */
  idOf(id: string): string | undefined;
  /**
   * Writes something once, however often the import runs: `write` gets an idempotency key and
   * resolves to what the journal remembers.
   */
  once(name: string, write: (key: string) => Promise<string>): Promise<string>;
  /** Uploads a file of the archive; resolves to the upload's ID. */
  upload(path: string): Promise<string>;
}

/** Journal keys beside the IDs of objects. */
const RUN = "run";
const ORIGIN = "origin";
/** Milliseconds: an upload of an earlier run that nothing refers to is deleted after an hour. */
const UPLOAD_LIFE = 30 * 60_000;

export function createImportRun(
  context: ImportContext,
  archive: Archive,
  users: ReadonlyMap<string, string>,
): ImportRun {
  const { journal, api } = context;
  if (journal.get(RUN) === undefined) journal.put(RUN, crypto.randomUUID());
  const run = journal.get(RUN);
  const uploads = new Map<string, Promise<string>>();
  const once: ImportRun["once"] = async (name, write) => {
    const known = journal.get(name);
    if (known !== undefined) return known;
    const id = await write(`${run} ${name}`);
    journal.put(name, id);
    return id;
  };
  const upload = async (path: string): Promise<string> => {
    const file = archive.files.get(path);
    if (file === undefined) throw new Error(`${path} is not listed`);
    const open = () => archive.open(file);
    const name = `upload ${path}`;
    const [known, time] = (journal.get(name) ?? "").split(" ");
    if (known && Date.now() - Number(time) < UPLOAD_LIFE) return known;
    const id = await api.upload({ ...file, open }, { key: `${run} ${name} ${time ?? ""}` });
    journal.put(name, `${id} ${Date.now()}`);
    context.report.count("files");
    return id;
  };
  return {
    ...context,
    archive,
    users,
    origin: () => journal.get(ORIGIN),
    setOrigin(origin) {
      if (journal.get(ORIGIN) === undefined) journal.put(ORIGIN, origin);
    },
    idOf: (id) => journal.get(id),
    once,
    upload(path) {
      const uploading = uploads.get(path) ?? upload(path);
      uploads.set(path, uploading);
      return uploading;
    },
  };
}

export interface Creation {
  readonly id: string;
  readonly body: () => Promise<JsonObject>;
  /** Returns the smaller body that is created, and reported, if the API refuses the whole one. */
  readonly remainder: () => JsonObject;
  /** Writes what the body has no room for, with this idempotency key, to the object with ID `here`. */
  readonly complete?: (here: string, key: string) => Promise<void>;
}

/** Creates an object once and remembers its ID; `created` is undefined if an earlier run did. */
export async function create(
  { api, once, setOrigin, report }: ImportRun,
  path: string,
  { id, body, remainder, complete }: Creation,
): Promise<{ readonly id: string; readonly created: JsonObject | undefined }> {
  let created: JsonObject | undefined;
  const newId = await once(id, async (key) => {
    try {
      created = await api.post(path, await body(), { key });
    } catch (error) {
      report.omit(id, `only its title is kept: ${refusalOf(error)}`);
      created = await api.post(path, remainder(), { key: `${key} remainder` });
    }
    setOrigin(new URL(String(created.url)).origin);
    const here = String(created.id);
    await complete?.(here, key);
    return here;
  });
  return { id: newId, created };
}

/** Returns the sentence of an API error that is the content's fault; rethrows any other. */
export function refusalOf(error: unknown): string {
  if (isRefusal(error)) return error.message;
  throw error;
}
