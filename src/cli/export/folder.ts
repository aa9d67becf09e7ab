/**
 * The folder of an export: writes files that differ, and removes those that are no longer exported.
 *
 * @module
 */
import { dirname } from "node:path";
import { OperatorError } from "../../store/operator_error.ts";

export interface ExportFolder {
  /** Absolute or relative path of a file in the folder. */
  pathOf(name: string): string;
  /** Reads a file; undefined if it is missing. */
  read(name: string): Promise<string | undefined>;
  /** Returns the names of the files in a folder, sorted. */
  list(name: string): Promise<string[]>;
  /** Returns whether a file exists. */
  has(name: string): Promise<boolean>;
  /** Writes a text unless the file has it already. A crash leaves the old file or the new one. */
  write(name: string, text: string): Promise<void>;
  /** Writes bytes. */
  writeStream(name: string, bytes: ReadableStream<Uint8Array>): Promise<void>;
  /** Removes a file, and the folders that are empty then. */
  remove(name: string): Promise<void>;
}

/** Suffix of files that are being written. */
const PARTIAL = ".partial";

/** Opens the folder of an export, and creates it if it is missing. */
export async function openExportFolder(path: string): Promise<ExportFolder> {
  await Deno.mkdir(path, { recursive: true });
  const pathOf = (name: string): string => `${path}/${name}`;
  const made = new Set<string>([path]);
  const prepare = async (file: string): Promise<void> => {
    const parent = dirname(file);
    if (made.has(parent)) return;
    await Deno.mkdir(parent, { recursive: true });
    made.add(parent);
  };
  const replace = async (name: string, data: string | ReadableStream<Uint8Array>) => {
    const file = pathOf(name);
    await prepare(file);
    if (typeof data === "string") await Deno.writeTextFile(file + PARTIAL, data);
    else await Deno.writeFile(file + PARTIAL, data);
    await Deno.rename(file + PARTIAL, file);
  };
  const read = (name: string) => unlessMissing(Deno.readTextFile(pathOf(name)));
  return {
    pathOf,
    read,
    list: (name) => namesIn(pathOf(name)),
    has: async (name) => await unlessMissing(Deno.stat(pathOf(name))) !== undefined,
    async write(name, text) {
      if (await read(name) !== text) await replace(name, text);
    },
    writeStream: replace,
    async remove(name) {
      await unlessMissing(Deno.remove(pathOf(name)));
      for (let parent = dirname(name); parent !== "."; parent = dirname(parent)) {
        if (!await removeEmpty(pathOf(parent))) return;
        made.delete(pathOf(parent));
      }
    },
  };
}

/**
 * Throws unless a folder is new, empty, or an earlier export: one with this manifest. So no other
 * file is ever overwritten.
 */
export async function requireOwnFolder(path: string, manifest: string): Promise<void> {
  const names: string[] = [];
  try {
    for await (const { name } of Deno.readDir(path)) {
      // A folder of exports may be a git repository.
      if (!name.startsWith(".git")) names.push(name);
    }
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return;
    throw error;
  }
  if (names.length === 0 || names.includes(manifest)) return;
  throw new OperatorError(
    `${path} has files but no ${manifest}, so it is not an export of this format: ` +
      "name a new or an empty folder",
  );
}

async function namesIn(path: string): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const { name, isFile } of Deno.readDir(path)) {
      if (isFile && !name.endsWith(PARTIAL)) names.push(name);
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return names.sort();
}

async function unlessMissing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
      return undefined;
    }
    throw error;
  }
}

async function removeEmpty(path: string): Promise<boolean> {
  try {
    await Deno.remove(path);
    return true;
  } catch {
    return false;
  }
}
