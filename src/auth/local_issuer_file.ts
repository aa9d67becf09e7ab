/**
 * The local issuer's file: its key pair, the public keys before it, and the tokens that were revoked.
 *
 * @module
 */
import { exportJWK } from "jose/key/export";
import { generateKeyPair } from "jose/key/generate/keypair";
import * as v from "valibot";

const KEY_FILE = "local_issuer.jwk.json";
const LOCK_FILE = "local_issuer.lock";

const text = v.string();
const publicKey = { kty: v.literal("EC"), crv: v.literal("P-256"), x: text, y: text };
/** Milliseconds since the epoch. */
const expires = v.number();
const schema = v.object({
  ...publicKey,
  d: text,
  previous: v.optional(v.array(v.object({ ...publicKey, expires })), []),
  revoked: v.optional(v.array(v.object({ jti: text, expires })), []),
});

/** The file: the members of the key pair, and those that later commands have added. */
export type LocalIssuerFile = v.InferOutput<typeof schema>;
export type KeyPair = Omit<LocalIssuerFile, "previous" | "revoked">;

/**
 * Reads the file of a folder, and creates it with a new key pair if it is missing.
 *
 * Processes that start together use the same pair. Rejects if the folder cannot be written or the
 * file is damaged; a damaged file is never replaced, because its tokens may be in use.
 */
export async function readIssuerFile(folder: string): Promise<LocalIssuerFile> {
  const path = `${folder}/${KEY_FILE}`;
  try {
    return await readFile(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  await publishFile(path);
  return await readFile(path);
}

/** Returns a text that differs after each change of the file. */
export async function issuerFileRevision(folder: string): Promise<string> {
  try {
    const { ino, mtime, size } = await Deno.stat(`${folder}/${KEY_FILE}`);
    return `${ino} ${mtime?.getTime()} ${size}`;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "missing";
    throw error;
  }
}

/** Replaces the file by a changed one, at once; commands that run together take turns. */
export async function changeIssuerFile(
  folder: string,
  change: (file: LocalIssuerFile) => Promise<LocalIssuerFile> | LocalIssuerFile,
): Promise<void> {
  await readIssuerFile(folder);
  using lock = await Deno.open(`${folder}/${LOCK_FILE}`, {
    create: true,
    write: true,
    mode: 0o600,
  });
  // Closing the file releases it.
  await lock.lock(true);
  const path = `${folder}/${KEY_FILE}`;
  const temporary = await writeTemporary(path, await change(await readFile(path)));
  await Deno.rename(temporary, path);
}

/** Generates a key pair for the local issuer. */
export async function generateIssuerKeyPair(): Promise<KeyPair> {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  return v.parse(schema, await exportJWK(privateKey));
}

async function readFile(path: string): Promise<LocalIssuerFile> {
  const json = await Deno.readTextFile(path);
  try {
    return v.parse(schema, JSON.parse(json));
  } catch (cause) {
    throw new Error(`Cannot read the local issuer's key file "${path}"`, { cause });
  }
}

/** Links a new file into place, which only the first process can do. */
async function publishFile(path: string): Promise<void> {
  const temporary = await writeTemporary(path, await generateIssuerKeyPair());
  try {
    await Deno.link(temporary, path);
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  } finally {
    await Deno.remove(temporary);
  }
}

/** Writes a temporary file to the disk, readable only by its owner, and returns its path. */
async function writeTemporary(path: string, content: KeyPair | LocalIssuerFile): Promise<string> {
  const temporary = `${path}.${crypto.randomUUID()}`;
  await Deno.writeTextFile(temporary, JSON.stringify(content), { mode: 0o600, createNew: true });
  using file = await Deno.open(temporary, { write: true });
  await file.sync();
  return temporary;
}
