/**
 * The uploaded files on disk, as members of an archive.
 *
 * @module
 */
import { createPaths } from "../../files/disk/paths.ts";
import type { ArchiveWriter } from "./archive_writer.ts";
import { BLOB_NAME, FILES, HOME_NAME } from "./manifest.ts";
import type { UsedBlob } from "../../store/sqlite/backup.ts";

/** Files that were added. */
export interface AddedFiles {
  readonly names: ReadonlySet<string>;
  readonly bytes: number;
}

/** Adds the files of a folder to an archive. */
export interface DiskFiles {
  /** Adds all that is there. */
  addAll(): Promise<void>;
  /** Adds what was not added yet, and returns the number of those that are not there. */
  addMissing(blobs: Iterable<UsedBlob>): Promise<number>;
  readonly added: () => AddedFiles;
}

/** The folder of uploads in progress, which are not backed up: clients send them again. */
const INCOMING = "incoming";

/** Creates the source of files in `folder`. Files may come and go; none of them ever changes. */
export function createDiskFiles(folder: string, writer: ArchiveWriter): DiskFiles {
  const paths = createPaths(folder);
  const names = new Set<string>();
  let bytes = 0;

  /** Returns false if the file is not there. */
  async function add(name: string): Promise<boolean> {
    const file = await openFile(`${folder}/${name}`);
    if (file === undefined) return false;
    using opened = file;
    const { size } = await opened.stat();
    await writer.add(`${FILES}${name}`, size, readChunks(opened));
    names.add(name);
    bytes += size;
    return true;
  }

  return {
    addAll: async () => {
      for await (const name of blobsIn(folder)) await add(name);
    },
    addMissing: async (blobs) => {
      let missing = 0;
      for (const { workspace, blob } of blobs) {
        const name = paths.blob(workspace, blob).slice(folder.length + 1);
        if (!names.has(name) && !await add(name)) missing++;
      }
      return missing;
    },
    added: () => ({ names, bytes }),
  };
}

/**
 * Returns the blobs in a folder of files, as paths below it. Other programs may have put files there:
 * the root of a volume has `lost+found`, and NFS renames open files to `.nfs…`.
 */
export async function* blobsIn(folder: string): AsyncGenerator<string> {
  for await (const home of namesIn(folder, HOME_NAME)) {
    for await (const part of namesIn(`${folder}/${home}`, BLOB_NAME)) {
      if (part === INCOMING) continue;
      for await (const blob of namesIn(`${folder}/${home}/${part}`, BLOB_NAME)) {
        yield `${home}/${part}/${blob}`;
      }
    }
  }
}

/** Names of this form in a folder; none if it is not there, or no folder. */
async function* namesIn(folder: string, form: RegExp): AsyncGenerator<string> {
  try {
    for await (const { name } of Deno.readDir(folder)) if (form.test(name)) yield name;
  } catch (error) {
    const isGone = error instanceof Deno.errors.NotFound ||
      error instanceof Deno.errors.NotADirectory;
    if (!isGone) throw error;
  }
}

async function openFile(path: string): Promise<Deno.FsFile | undefined> {
  try {
    // Not a symbolic link, which could lead to any file that the process may read.
    return (await Deno.lstat(path)).isFile ? await Deno.open(path) : undefined;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

const CHUNK = 1024 ** 2;

/** Reads a file from its start. */
export async function* readChunks(file: Deno.FsFile): AsyncGenerator<Uint8Array> {
  for (;;) {
    // A new one each time: encryption may still work on the one before.
    const chunk = new Uint8Array(CHUNK);
    const count = await file.read(chunk);
    if (count === null) return;
    yield chunk.subarray(0, count);
  }
}
