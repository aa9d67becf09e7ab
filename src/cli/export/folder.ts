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
  read(name: string): string | undefined;
  /** Returns the paths of the files right in a folder, sorted. */
  list(name: string): string[];
  /** Returns the paths of all files below a folder such as `files/`. */
  all(prefix: string): string[];
  /** Returns whether a file exists. */
  has(name: string): boolean;
  /** Writes a text unless the file has it already. A crash leaves the old file or the new one. */
  write(name: string, text: string): void;
  /** Writes bytes. */
  writeStream(name: string, bytes: ReadableStream<Uint8Array>): Promise<void>;
  /** Removes a file, and the folders that are empty then. */
  remove(name: string): void;
}

/** Suffix of files that are being written: no name made by `safeFileName()` has a `#`. */
const PARTIAL = "#partial";

/**
 * Opens the folder of an export, and creates it if it is missing. Texts are small, so that writing
 * them without another thread takes less of the processor, and a removal never meets half a write.
 */
export async function openExportFolder(path: string): Promise<ExportFolder> {
  await Deno.mkdir(path, { recursive: true });
  const present = new Set(filesIn(path));
  const pathOf = (name: string): string => `${path}/${name}`;
  const made = new Set<string>([path]);
  const prepare = (file: string): void => {
    const parent = dirname(file);
    if (made.has(parent)) return;
    Deno.mkdirSync(parent, { recursive: true });
    made.add(parent);
  };
  const finish = (name: string): void => {
    Deno.renameSync(pathOf(name) + PARTIAL, pathOf(name));
    present.add(name);
  };
  const read = (name: string): string | undefined =>
    present.has(name) ? Deno.readTextFileSync(pathOf(name)) : undefined;
  return {
    pathOf,
    read,
    list: (name) => [...present].filter((file) => dirname(file) === name).sort(),
    all: (prefix) => [...present].filter((file) => file.startsWith(prefix)).sort(),
    has: (name) => present.has(name),
    write(name, text) {
      if (read(name) === text) return;
      prepare(pathOf(name));
      Deno.writeTextFileSync(pathOf(name) + PARTIAL, text);
      finish(name);
    },
    async writeStream(name, bytes) {
      prepare(pathOf(name));
      await Deno.writeFile(pathOf(name) + PARTIAL, bytes);
      finish(name);
    },
    remove(name) {
      if (!present.delete(name)) return;
      Deno.removeSync(pathOf(name));
      for (let parent = dirname(name); parent !== "."; parent = dirname(parent)) {
        if (!removeEmpty(pathOf(parent))) return;
        made.delete(pathOf(parent));
      }
    },
  };
}

/** Yields the paths of all files in a folder, but for those that broke off. */
function* filesIn(path: string, prefix = ""): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(path)) {
    if (name === ".git") continue;
    if (isDirectory) yield* filesIn(`${path}/${name}`, `${prefix}${name}/`);
    else if (!name.endsWith(PARTIAL)) yield prefix + name;
  }
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

/** Removes a folder if it is empty; returns whether it was. */
function removeEmpty(path: string): boolean {
  if ([...Deno.readDirSync(path)].length > 0) return false;
  Deno.removeSync(path);
  return true;
}
