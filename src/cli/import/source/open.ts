/**
 * Opens what an import names: a folder, ZIP archives, or single files.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { basename, dirname } from "node:path";
import { openFolder } from "./folder.ts";
import { endingOf, stemOf } from "./names.ts";
import { type Source, SourceError } from "./source.ts";

/** Endings of files that can be imported alone. */
const SINGLE = new Set(["md", "markdown", "html", "htm", "csv", "tsv", "xlsx"]);

/** Opens a source. Parts of an export are found beside one another, or unpacked into `scratch`. */
export async function openSource(path: string, scratch: string): Promise<Source> {
  const info = await statOf(path);
  if (info.isDirectory) return await openFolder(path);
  if (endingOf(path) === "zip") {
    const { openZips } = await import("./zip.ts");
    return await openZips(await partsBeside(path), scratch);
  }
  if (SINGLE.has(endingOf(path))) return openFile(path, info);
  throw new SourceError(`${path} is no folder, ZIP, Markdown, HTML, CSV, TSV or XLSX file`);
}

const PART = /^(.*-Part-)\d+(\.zip)$/i;

/** All parts of an export that was downloaded in several archives. */
async function partsBeside(path: string): Promise<string[]> {
  const [, start, end] = PART.exec(basename(path)) ?? [];
  if (start === undefined || end === undefined) return [path];
  const folder = dirname(path);
  const parts: string[] = [];
  for await (const { name, isFile } of Deno.readDir(folder)) {
    const isPart = isFile && name.startsWith(start) && name.endsWith(end) && PART.test(name);
    if (isPart) parts.push(`${folder}/${name}`);
  }
  return parts.sort(new Intl.Collator("en", { numeric: true }).compare);
}

async function statOf(path: string): Promise<Deno.FileInfo> {
  try {
    return await Deno.stat(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new SourceError(`There is no file or folder ${path}`);
  }
}

function openFile(path: string, { size, mtime }: Deno.FileInfo): Source {
  const name = basename(path).normalize("NFC");
  const state = `${name}\0${size}\0${mtime?.getTime() ?? 0}`;
  return {
    name: stemOf(name),
    files: new Map([[name, { path: name, size }]]),
    skipped: [],
    isVault: false,
    fingerprint: createHash("sha256").update(state).digest("hex"),
    stream: async () => (await Deno.open(path)).readable,
    bytes: () => Deno.readFileSync(path),
    close: () => Promise.resolve(),
  };
}
