/**
 * Checks archives without restoring them.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { WrittenFile } from "../../files/disk/file_io.ts";
import { writeFile } from "../../files/disk/file_io.ts";
import { checkDatabase } from "../../store/sqlite/backup.ts";
import { ArchiveError } from "./archive_error.ts";
import { readArchive } from "./archive_reader.ts";
import { readChunks } from "./disk_files.ts";
import type { BackupKey } from "./encryption.ts";
import { DATABASE_MEMBERS, type Manifest } from "./manifest.ts";
import { openBackup } from "./open_archive.ts";
import type { ReadMember } from "./tar.ts";

/** Reads back an archive that was just written; throws `ArchiveError` if anything differs. */
export async function checkWritten(
  path: string,
  written: WrittenFile,
  key: BackupKey | undefined,
): Promise<void> {
  if (key !== undefined && key.identity === undefined) return await checkHash(path, written);
  const { stream } = await openBackup((await Deno.open(path)).readable, key);
  await readArchive(stream, drain);
}

/**
 * Passes an archive on, and reads it meanwhile as a restore does; throws `ArchiveError` in place of its
 * end if anything is wrong. Who has the public key alone cannot read it.
 */
export async function* passChecked(
  archive: ReadableStream<Uint8Array>,
  key: BackupKey | undefined,
): AsyncGenerator<Uint8Array> {
  if (key !== undefined && key.identity === undefined) return yield* archive;
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const check = openBackup(readable, key).then(({ stream }) => readArchive(stream, drain));
  check.catch(() => {});
  try {
    for await (const chunk of archive) {
      // A check that has failed reads no more.
      await Promise.race([writer.write(chunk), check]);
      yield chunk;
    }
    await writer.close();
    await check;
  } finally {
    await writer.abort().catch(() => {});
  }
}

/** Who has the public key alone can compare what is there with what was written. */
async function checkHash(path: string, { hash }: WrittenFile): Promise<void> {
  const digest = createHash("sha256");
  using file = await Deno.open(path);
  for await (const chunk of readChunks(file)) digest.update(chunk);
  if (digest.digest("hex") !== hash) throw new ArchiveError(`${path} is not as it was written`);
}

/** Reads a member and does nothing with it. */
export async function drain({ chunks }: ReadMember): Promise<void> {
  for await (const _ of chunks);
}

/**
 * Checks everything in an archive, also the structure of a SQLite database, which is written to
 * `scratch` for that. Throws `ArchiveError` or `OperatorError`.
 */
export async function checkBackup(
  source: ReadableStream<Uint8Array>,
  { key, scratch, label }: {
    readonly key: BackupKey | undefined;
    readonly scratch: string;
    readonly label: string;
  },
): Promise<Manifest | undefined> {
  const path = `${scratch}/database`;
  const { kind, stream } = await openBackup(source, key);
  if (kind === "database") {
    await writeFile(path, stream);
    checkDatabase(path, label);
    return undefined;
  }
  const manifest = await readArchive(stream, async (member) => {
    if (member.name === DATABASE_MEMBERS.sqlite) await writeFile(path, member.chunks);
    else await drain(member);
  });
  if (manifest.database === "sqlite") checkDatabase(path, label);
  return manifest;
}
