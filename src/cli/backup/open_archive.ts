/**
 * Opens what may be an archive, an encrypted archive, or a database file of an earlier backup.
 *
 * @module
 */
import { ArchiveError } from "./archive_error.ts";
import { AGE_START, type BackupKey, decrypt } from "./encryption.ts";

export interface OpenedBackup {
  /** `database` is the file of a SQLite database. */
  readonly kind: "archive" | "database";
  /** The content, decrypted. */
  readonly stream: ReadableStream<Uint8Array>;
}

const SQLITE_START = "SQLite format 3\0";
const LONGEST = Math.max(AGE_START.length, SQLITE_START.length);

/** Tells from its first bytes what a stream is; throws `ArchiveError` if it is empty. */
export async function openBackup(
  source: ReadableStream<Uint8Array>,
  key: BackupKey | undefined,
): Promise<OpenedBackup> {
  const { start, stream } = await peek(source);
  if (start === "") throw new ArchiveError("The archive is empty");
  if (start.startsWith(SQLITE_START)) return { kind: "database", stream };
  const isEncrypted = start.startsWith(AGE_START);
  return { kind: "archive", stream: isEncrypted ? await decrypt(stream, key) : stream };
}

async function peek(
  source: ReadableStream<Uint8Array>,
): Promise<{ readonly start: string; readonly stream: ReadableStream<Uint8Array> }> {
  const reader = source.getReader();
  const first: Uint8Array[] = [];
  for (let length = 0; length < LONGEST;) {
    const { value, done } = await reader.read();
    if (done) break;
    first.push(value);
    length += value.length;
  }
  const bytes = await new Blob(first.map((chunk) => new Uint8Array(chunk))).bytes();
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      if (bytes.length > 0) controller.enqueue(bytes);
    },
    pull: async (controller) => {
      const { value, done } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  }, { highWaterMark: 0 });
  return { start: new TextDecoder("latin1").decode(bytes.subarray(0, LONGEST)), stream };
}
