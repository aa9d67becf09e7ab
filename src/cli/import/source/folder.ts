/**
 * Reads a folder.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { basename } from "node:path";
import { isHidden } from "./names.ts";
import { type SkippedFile, type Source, SourceError, type SourceFile } from "./source.ts";

/** Files of one source. */
export const MAX_FILES = 1_000_000;

/** Settings of a vault. */
const VAULT = ".obsidian";

/** Opens a folder. Hidden files are left out; links are not followed. */
export async function openFolder(folder: string): Promise<Source> {
  const root = await Deno.realPath(folder);
  const files: SourceFile[] = [];
  const skipped: SkippedFile[] = [];
  const hash = createHash("sha256");
  let isVault = false;
  for await (const { path, entry } of walk(root, "")) {
    const shown = path.normalize("NFC");
    isVault ||= path === VAULT;
    if (isHidden(path)) continue;
    if (entry.isSymlink) skipped.push({ path: shown, reason: "symbolic links are not followed" });
    if (!entry.isFile) continue;
    if (files.length >= MAX_FILES) throw new SourceError(`${folder} has over ${MAX_FILES} files`);
    const { size, mtime } = await Deno.lstat(`${root}/${path}`);
    files.push({ path, size });
    hash.update(`${path}\0${size}\0${mtime?.getTime() ?? 0}\n`);
  }
  return {
    name: basename(root),
    files: new Map(files.map((file) => [file.path, file])),
    skipped,
    isVault,
    fingerprint: hash.digest("hex"),
    stream: async (path) => (await Deno.open(`${root}/${path}`)).readable,
    // Most are small, and a read without a thread of its own is several times faster.
    bytes: (path) => Deno.readFileSync(`${root}/${path}`),
    close: () => Promise.resolve(),
  };
}

async function* walk(
  root: string,
  folder: string,
): AsyncGenerator<{ readonly path: string; readonly entry: Deno.DirEntry }> {
  const entries = await Array.fromAsync(Deno.readDir(`${root}/${folder}`));
  entries.sort((a, b) => a.name < b.name ? -1 : 1);
  for (const entry of entries) {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    yield { path, entry };
    if (entry.isDirectory && !isHidden(path)) yield* walk(root, path);
  }
}
