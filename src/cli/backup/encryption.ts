/**
 * Encryption of archives with age (https://age-encryption.org/v1): the file key is encrypted for a
 * public key, and the content in authenticated chunks whose order and end are authenticated, too.
 *
 * @module
 */
import * as age from "age-encryption";
import { OperatorError } from "../../store/operator_error.ts";
import { ArchiveError } from "./archive_error.ts";

/** A key of backups: who has the public one alone can write archives, and not read them. */
export interface BackupKey {
  /** `age1…` */
  readonly recipient: string;
  /** `AGE-SECRET-KEY-1…` */
  readonly identity: string | undefined;
}

/** Start of every encrypted archive. */
export const AGE_START = "age-encryption.org/v1\n";

/** Reads a key; comments and empty lines around it are ignored, as in a file of `age-keygen`. */
export async function parseBackupKey(text: string, source: string): Promise<BackupKey> {
  const lines = text.split("\n").map((line) => line.trim());
  const [key = "", ...others] = lines.filter((line) => line !== "" && !line.startsWith("#"));
  try {
    if (others.length > 0) throw new Error("more than one line");
    if (!key.startsWith("AGE-SECRET-KEY-1")) {
      new age.Encrypter().addRecipient(key);
      return { recipient: key, identity: undefined };
    }
    return { recipient: await age.identityToRecipient(key), identity: key };
  } catch {
    throw new OperatorError(
      `${source} must be a key such as \`recto backup key\` prints: age1… or AGE-SECRET-KEY-1…`,
    );
  }
}

/** Creates a key. */
export async function createBackupKey(): Promise<Required<BackupKey>> {
  const identity = await age.generateX25519Identity();
  return { recipient: await age.identityToRecipient(identity), identity };
}

/** Encrypts a stream. */
export async function encrypt(
  stream: ReadableStream<Uint8Array>,
  { recipient }: Pick<BackupKey, "recipient">,
): Promise<ReadableStream<Uint8Array>> {
  const encrypter = new age.Encrypter();
  encrypter.addRecipient(recipient);
  return await encrypter.encrypt(stream);
}

/** Decrypts a stream; it fails with `ArchiveError` where it was changed, reordered or cut. */
export async function decrypt(
  stream: ReadableStream<Uint8Array>,
  key: BackupKey | undefined,
): Promise<ReadableStream<Uint8Array>> {
  if (key?.identity === undefined) {
    throw new OperatorError(
      "The archive is encrypted: set RECTO_BACKUP_KEY, or --key-file, to its AGE-SECRET-KEY-1…",
    );
  }
  const decrypter = new age.Decrypter();
  decrypter.addIdentity(key.identity);
  try {
    return withArchiveErrors(await decrypter.decrypt(stream));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw /no identity matched/i.test(error.message)
      ? new ArchiveError("The archive is encrypted for another key")
      : new ArchiveError(`The archive is damaged at its encrypted header: ${error.message}`);
  }
}

function withArchiveErrors(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  return new ReadableStream({
    pull: async (controller) => {
      try {
        const { value, done } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        throw new ArchiveError(error instanceof Error ? error.message : String(error));
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
