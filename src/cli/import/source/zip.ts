/**
 * Reads ZIP archives as one tree: the parts of an export, also if they are in an outer archive.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { idIn } from "../links/link_index.ts";
import { endingOf, folderOf, stemOf } from "./names.ts";
import { type SkippedFile, type Source, SourceError } from "./source.ts";
import type { Entry, ZipFile } from "./yauzl.ts";
import { readZipEntries, type ZipEntries } from "./zip_entries.ts";

interface Located {
  readonly zip: ZipFile;
  readonly entry: Entry;
}

/** Opens archives as one tree. Archives inside an outer one are unpacked into the folder `scratch`. */
export async function openZips(files: readonly string[], scratch: string): Promise<Source> {
  const archives: ZipEntries[] = [];
  try {
    for (const file of files) {
      const outer = await readZipEntries(file);
      archives.push(outer);
      if (!holdsParts(outer)) continue;
      for (const part of await unpackParts(outer, scratch)) {
        archives.push(await readZipEntries(part));
      }
    }
    return sourceOf(archives, stemOf(files[0] ?? ""));
  } catch (error) {
    archives.forEach(({ zip }) => zip.close());
    throw error;
  }
}

/** An outer archive has nothing but archives in one folder. ZIPs in other places are attachments. */
function holdsParts({ entries }: ZipEntries): boolean {
  const paths = [...entries.keys()];
  return paths.length > 0 && paths.every((path) => endingOf(path) === "zip") &&
    new Set(paths.map(folderOf)).size === 1 && paths.every((path) => path.split("/").length <= 2);
}

async function unpackParts({ zip, entries }: ZipEntries, scratch: string): Promise<string[]> {
  await Deno.mkdir(scratch, { recursive: true });
  const parts: string[] = [];
  for (const [, entry] of entries) {
    const file = `${scratch}/part-${parts.length + 1}.zip`;
    await Deno.writeFile(file, await open({ zip, entry }));
    parts.push(file);
  }
  return parts;
}

/** Yauzl ends the stream with an error if the size or the compressed data are false. */
async function open({ zip, entry }: Located): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const stream = await zip.openReadStreamPromise(entry);
  // The types of Node know nothing of the element type.
  return Readable.toWeb(stream) as unknown as ReadableStream<Uint8Array<ArrayBuffer>>;
}

function sourceOf(archives: readonly ZipEntries[], name: string): Source {
  const { located, skipped, root } = mergeParts(archives);
  const hash = createHash("sha256");
  for (const [path, { entry }] of located) hash.update(`${path}\0${entry.crc32}\n`);
  const openPath = (path: string) => {
    const file = located.get(path);
    if (file === undefined) throw new SourceError(`The archive has no file ${path}`);
    return open(file);
  };
  return {
    name: root ?? name,
    files: new Map(
      [...located].map(([path, { entry }]) => [path, { path, size: entry.uncompressedSize }]),
    ),
    skipped,
    isVault: archives.some(({ isVault }) => isVault),
    fingerprint: hash.digest("hex"),
    stream: openPath,
    async bytes(path) {
      try {
        return await new Response(await openPath(path)).bytes();
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new SourceError(`${path} is damaged in the archive (${reason}): download it again`);
      }
    },
    close: () => Promise.resolve(archives.forEach(({ zip }) => zip.close())),
  };
}

const EXPORT_ROOT = /^Export(?:Block)?-[0-9a-f-]{8,}(?:-Part-\d+)?$/i;

/** Joins the parts on the paths below the folder that each export has at its top. */
function mergeParts(archives: readonly ZipEntries[]) {
  const located = new Map<string, Located>();
  const skipped: SkippedFile[] = archives.flatMap((archive) => archive.skipped);
  for (const { zip, entries } of archives.filter((archive) => !holdsParts(archive))) {
    const root = commonRoot([...entries.keys()]);
    const start = root !== undefined && EXPORT_ROOT.test(root) ? root.length + 1 : 0;
    for (const [path, entry] of entries) {
      const other = located.getOrInsert(path.slice(start), { zip, entry });
      if (other.entry.crc32 !== entry.crc32) {
        skipped.push({ path, reason: "another part has a different file with this name" });
      }
    }
  }
  return { ...withoutRoot(located), skipped };
}

/** Leaves out a folder that holds everything, unless it belongs to a page. */
function withoutRoot(located: ReadonlyMap<string, Located>) {
  const common = commonRoot([...located.keys()]);
  const root = common !== undefined && idIn(common) === undefined ? common : undefined;
  const start = root === undefined ? 0 : root.length + 1;
  const inside = [...located].map(([path, file]) => [path.slice(start), file] as const);
  return { located: new Map(inside.sort(([a], [b]) => a < b ? -1 : 1)), root };
}

/** The folder that all paths share, if there is one and nothing lies beside it. */
function commonRoot(paths: readonly string[]): string | undefined {
  const [root] = (paths[0] ?? "").split("/");
  const isShared = root !== undefined && paths.every((path) => path.startsWith(`${root}/`));
  return isShared && root !== "" ? root : undefined;
}
