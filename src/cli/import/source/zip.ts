/**
 * Reads ZIP archives as one tree: the parts of an export, also if they are in an outer archive.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { baseOf, endingOf, folderOf, stemOf } from "./names.ts";
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
  return {
    name: root ?? name,
    files: new Map(
      [...located].map(([path, { entry }]) => [path, { path, size: entry.uncompressedSize }]),
    ),
    skipped,
    isVault: archives.some(({ isVault }) => isVault),
    fingerprint: hash.digest("hex"),
    stream: (path) => {
      const file = located.get(path);
      if (file === undefined) throw new SourceError(`The archive has no file ${path}`);
      return open(file);
    },
    close: () => Promise.resolve(archives.forEach(({ zip }) => zip.close())),
  };
}

const EXPORT_ROOT = /^Export(?:Block)?-[0-9a-f-]{8,}(?:-Part-\d+)?$/i;

function mergeParts(archives: readonly ZipEntries[]) {
  const leaves = archives.filter((archive) => !holdsParts(archive));
  const located = new Map<string, Located>();
  const skipped: SkippedFile[] = archives.flatMap((archive) => archive.skipped);
  const roots = new Set<string>();
  for (const { zip, entries } of leaves) {
    const root = commonRoot([...entries.keys()]);
    if (root !== undefined && !EXPORT_ROOT.test(root)) roots.add(root);
    for (const [path, entry] of entries) {
      const inside = root === undefined ? path : path.slice(root.length + 1);
      const other = located.get(inside);
      if (other === undefined) located.set(inside, { zip, entry });
      else if (other.entry.crc32 !== entry.crc32) {
        skipped.push({ path, reason: "another part has a different file with this name" });
      }
    }
  }
  const sorted = new Map([...located].sort(([a], [b]) => a < b ? -1 : 1));
  return { located: sorted, skipped, root: [...roots][0] };
}

/** The folder that all paths share, if there is one and nothing lies beside it. */
function commonRoot(paths: readonly string[]): string | undefined {
  const [root] = (paths[0] ?? "").split("/");
  const isShared = root !== undefined && paths.every((path) => path.startsWith(`${root}/`));
  return isShared && baseOf(root) !== "" ? root : undefined;
}
