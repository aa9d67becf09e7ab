/**
 * Reads an archive and checks all of it.
 *
 * @module
 */
import { createHash } from "node:crypto";
import * as v from "valibot";
import { ArchiveError, damaged } from "./archive_error.ts";
import { createByteReader } from "./byte_reader.ts";
import {
  type Checksum,
  FORMAT,
  listName,
  listSchema,
  MANIFEST,
  type Manifest,
  MANIFEST_HASH,
  manifestSchema,
} from "./manifest.ts";
import { type ReadMember, readTar } from "./tar.ts";

/** Largest member that is read as text: a list of checksums or the manifest. */
const MOST_TEXT = 16 * 1024 ** 2;

/** Takes the content of a member; what it got counts only once `readArchive()` has resolved. */
export type TakeMember = (member: ReadMember) => Promise<void>;

/**
 * Reads an archive to its end and hands out its members, which are checked afterwards. Throws
 * `ArchiveError` with the name of the first damaged member.
 */
export async function readArchive(
  stream: ReadableStream<Uint8Array>,
  take: TakeMember,
): Promise<Manifest> {
  const lists: string[] = [];
  let seen: Checksum[] = [];
  let manifest: { readonly text: string; readonly hash: string } | undefined;
  let isComplete = false;
  for await (const member of readTar(createByteReader(stream))) {
    if (isComplete) throw damaged(member.name, "nothing may follow the manifest");
    if (member.name === listName(lists.length)) {
      const { text, hash } = await readText(member);
      checkList(member.name, text, seen);
      lists.push(hash);
      seen = [];
    } else if (member.name === MANIFEST) manifest = await readText(member);
    else if (member.name === MANIFEST_HASH) {
      isComplete = (await readText(member)).text === manifest?.hash;
      if (!isComplete) throw damaged(MANIFEST, "its checksum differs");
    } else seen.push(await hashed(member, take));
  }
  if (manifest === undefined || !isComplete) throw damaged(MANIFEST, "it is missing");
  return checkManifest(manifest.text, lists, seen);
}

async function hashed(member: ReadMember, take: TakeMember): Promise<Checksum> {
  const hash = createHash("sha256");
  await take({
    ...member,
    chunks: async function* () {
      for await (const chunk of member.chunks) {
        hash.update(chunk);
        yield chunk;
      }
    }(),
  });
  return [member.name, member.size, hash.digest("hex")];
}

async function readText(
  { name, size, chunks }: ReadMember,
): Promise<{ readonly text: string; readonly hash: string }> {
  if (size > MOST_TEXT) throw damaged(name, "it is too large");
  const bytes = await new Response(ReadableStream.from(chunks)).bytes();
  const hash = createHash("sha256").update(bytes).digest("hex");
  return { text: new TextDecoder().decode(bytes), hash };
}

/** Compares the members since the last list with what the list says. */
function checkList(name: string, text: string, seen: readonly Checksum[]): void {
  const list = parse(name, text, listSchema);
  seen.forEach(([member, size, hash], index) => {
    const [expected, expectedSize, expectedHash] = list[index] ?? [];
    if (member !== expected) throw damaged(member, `${name} does not list it there`);
    if (size !== expectedSize || hash !== expectedHash) {
      throw damaged(member, "its checksum differs");
    }
  });
  if (list.length !== seen.length) throw damaged(name, "it lists more than there is");
}

function checkManifest(
  text: string,
  lists: readonly string[],
  unlisted: readonly Checksum[],
): Manifest {
  const { format } = parse(MANIFEST, text, v.object({ format: v.number() }));
  if (format > FORMAT) {
    throw new ArchiveError("The archive is of a newer release of Recto: restore it with that one");
  }
  const manifest = parse(MANIFEST, text, manifestSchema);
  const [first] = unlisted;
  if (first !== undefined) throw damaged(first[0], "no checksum follows");
  const wrong = lists.findIndex((hash, index) => hash !== manifest.checksums[index]);
  if (wrong >= 0) throw damaged(listName(wrong), "its checksum differs");
  if (lists.length !== manifest.checksums.length) {
    throw damaged(listName(lists.length), "it is missing");
  }
  return manifest;
}

function parse<T>(name: string, text: string, schema: v.GenericSchema<unknown, T>): T {
  try {
    return v.parse(schema, JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError || v.isValiError(error)) {
      throw damaged(name, "it cannot be read");
    }
    throw error;
  }
}
