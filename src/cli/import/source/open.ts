/**
 * Opens what an import names: a folder, ZIP archives, or single files.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { basename } from "node:path";
import { openFolder } from "./folder.ts";
import { endingOf, stemOf } from "./names.ts";
import { type Source, SourceError } from "./source.ts";

/** Endings of files that can be imported alone. */
const SINGLE = new Set(["md", "markdown", "html", "htm", "csv", "tsv", "xlsx"]);

/** Opens a source. Parts of an export are unpacked into the folder `scratch`. */
export async function openSource(paths: readonly string[], scratch: string): Promise<Source> {
  const [path = "", ...more] = paths;
  const info = await statOf(path);
  if (info.isDirectory) {
    if (more.length > 0) throw new SourceError("Import one folder at a time");
    return await openFolder(path);
  }
  const endings = new Set(paths.map(endingOf));
  if (endings.size === 1 && endings.has("zip")) {
    for (const one of more) await statOf(one);
    const { openZips } = await import("./zip.ts");
    return await openZips(paths, scratch);
  }
  if (more.length > 0) throw new SourceError("Only the ZIP parts of one export go together");
  if (!SINGLE.has(endingOf(path))) {
    throw new SourceError(
      `${path} is no folder, ZIP, Markdown, HTML, CSV, TSV or XLSX file`,
    );
  }
  return openFile(path, info);
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
    close: () => Promise.resolve(),
  };
}
