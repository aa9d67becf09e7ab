/**
 * Folders for work in progress, of which nothing stays.
 *
 * @module
 */
import { OperatorError } from "../../store/operator_error.ts";
import { deleteIfExists } from "../../files/disk/file_io.ts";
import { statIfExists } from "../../store/sqlite/file.ts";

/** Only one backup or restore at a time works in a data folder. */
const LOCK_FILE = "backup.lock";
const START = ".recto-work-";

export interface Scratch extends AsyncDisposable {
  /** An empty folder for this user alone. */
  readonly path: string;
  /** Creates another one at this path, in place of what an interrupted restore has left there. */
  add(path: string): Promise<string>;
}

/**
 * Creates a folder in the data folder, which is created if missing. Throws `OperatorError` while
 * another backup or restore works there; removes what an interrupted one has left.
 */
export async function openScratch(dataDir: string): Promise<Scratch> {
  await Deno.mkdir(dataDir, { recursive: true, mode: 0o700 });
  const lock = await Deno.open(`${dataDir}/${LOCK_FILE}`, {
    write: true,
    create: true,
    mode: 0o600,
  });
  try {
    if (!await lock.tryLock(true)) {
      throw new OperatorError(`Another backup or restore is running in ${dataDir}`);
    }
    await removeUnfinished(dataDir);
    const path = `${dataDir}/${partialName()}`;
    await Deno.mkdir(path, { mode: 0o700 });
    const paths = [path];
    return {
      path,
      add: async (other) => {
        await deleteIfExists(other);
        await Deno.mkdir(other, { recursive: true, mode: 0o700 });
        paths.push(other);
        return other;
      },
      [Symbol.asyncDispose]: async () => {
        for (const one of paths) await deleteIfExists(one);
        await release(lock);
      },
    };
  } catch (error) {
    await release(lock);
    throw error;
  }
}

/** A process that is being started holds the file for a moment longer, but not the lock. */
async function release(lock: Deno.FsFile): Promise<void> {
  await lock.unlock();
  lock.close();
}

/** Returns a name for an archive that is not finished, which no other process uses. */
export function partialName(): string {
  return `${START}${crypto.randomUUID()}`;
}

/** Milliseconds without a write, after which an unfinished archive is taken for left over. */
const ABANDONED = 3_600_000;

/** Removes unfinished archives of interrupted backups, perhaps of other services. */
export async function removeAbandoned(folder: string): Promise<void> {
  for await (const { name } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (!name.startsWith(START)) continue;
    const written = (await statIfExists(path))?.mtime?.getTime() ?? 0;
    if (Date.now() - written > ABANDONED) await deleteIfExists(path);
  }
}

async function removeUnfinished(dataDir: string): Promise<void> {
  for await (const { name } of Deno.readDir(dataDir)) {
    if (name.startsWith(START)) await deleteIfExists(`${dataDir}/${name}`);
  }
}
