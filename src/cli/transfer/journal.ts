/**
 * The journal of an import: which object of the source became which object here. It makes an import
 * resumable after any interruption, also when idempotency keys have expired.
 *
 * @module
 */
import { OperatorError } from "../../store/operator_error.ts";
import { isObject } from "./json.ts";

export interface Journal {
  /** Returns the ID here of an object of the source; undefined if it is not imported yet. */
  get(key: string): string | undefined;
  /** Records an object that was written, before the next write is sent. */
  put(key: string, id: string): void;
  /** Removes a record, so that what it names is written again. */
  forget(key: string): void;
  /** Returns the keys of all records. */
  keys(): Iterable<string>;
  /** Returns the number of records. */
  readonly size: number;
  close(): void;
}

/** The owner of a journal, such as server and user. */
export type JournalOwner = JournalRecord;

type JournalRecord = Readonly<Record<string, string>>;

/**
 * Opens a journal, or creates it. Throws if it belongs to another server or user: the IDs in it
 * mean nothing there. A last line that broke off is dropped.
 */
export function openJournal(path: string, owner: JournalOwner): Journal {
  const lines = readLines(path);
  const [first] = lines;
  if (first !== undefined && JSON.stringify(first) !== JSON.stringify(owner)) {
    throw new OperatorError(
      `${path} belongs to an import into ${first.server ?? "another server"} as another user: ` +
        "delete it to import again",
    );
  }
  const ids = new Map<string, string>();
  for (const { key = "", id } of lines.slice(1)) {
    if (id === undefined) ids.delete(key);
    else ids.set(key, id);
  }
  const records = [owner, ...[...ids].map(([key, id]) => ({ key, id }))];
  // A process that is killed here leaves the earlier file, or the new one.
  Deno.writeTextFileSync(partialJournal(path), records.map(lineOf).join(""));
  Deno.renameSync(partialJournal(path), path);
  const file = Deno.openSync(path, { append: true });
  const write = (record: JournalRecord): void =>
    writeAll(file, new TextEncoder().encode(lineOf(record)));
  return {
    get: (key) => ids.get(key),
    put(key, id) {
      ids.set(key, id);
      write({ key, id });
    },
    forget(key) {
      if (ids.delete(key)) write({ key });
    },
    keys: () => ids.keys(),
    get size() {
      return ids.size;
    },
    close: () => file.close(),
  };
}

/** Returns the file that a journal is first written to. */
export function partialJournal(path: string): string {
  return `${path}.partial`;
}

function lineOf(record: JournalRecord): string {
  return `${JSON.stringify(record)}\n`;
}

/** A journal in memory, for an import that is not resumed. */
export function createJournal(): Journal {
  const ids = new Map<string, string>();
  return {
    get: (key) => ids.get(key),
    put: (key, id) => void ids.set(key, id),
    forget: (key) => void ids.delete(key),
    keys: () => ids.keys(),
    get size() {
      return ids.size;
    },
    close: () => {},
  };
}

function writeAll(file: Deno.FsFile, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) {
    written += file.writeSync(bytes.subarray(written));
  }
}

function readLines(path: string): Record<string, string>[] {
  let text: string;
  try {
    text = Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
  return text.slice(0, text.lastIndexOf("\n") + 1).split("\n").filter((line) => line !== "")
    .map((line) => readRecord(line, path));
}

function readRecord(line: string, path: string): Record<string, string> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    value = undefined;
  }
  if (!isObject(value)) throw new OperatorError(`${path} is damaged: delete it to import again`);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, String(one)]));
}
