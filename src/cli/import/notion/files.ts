/**
 * Files of a mirror: each is downloaded once, before its URL expires or by a new URL afterwards.
 *
 * @module
 */
import { createHash } from "node:crypto";
import * as v from "valibot";
import { download, type ExportedFile, replaceFiles } from "../../export/files.ts";
import type { ExportFolder } from "../../export/folder.ts";
import { fileSchema } from "../../export/jsonl_format.ts";
import type { ApiClient } from "../../transfer/api_client.ts";
import type { Journal } from "../../transfer/journal.ts";
import type { JsonObject } from "../../transfer/json.ts";
import type { Report } from "../../transfer/report.ts";

export interface SourceFiles {
  /**
   * Downloads the files that a record names, and returns it with their paths. `path` reads the record
   * anew, with URLs that have not expired.
   */
  withPaths(record: JsonObject, path: string): Promise<JsonObject>;
  /** Returns the file with this ID. */
  get(id: string): ExportedFile | undefined;
}

export interface SourceFilesOptions {
  readonly source: ApiClient;
  readonly folder: ExportFolder;
  readonly report: Report;
  /** Remembers what was downloaded. */
  readonly journal: Journal;
}

/** Downloads of one file, each by a new URL. */
const ATTEMPTS = 4;

export function createSourceFiles(options: SourceFilesOptions): SourceFiles {
  const { folder, journal, report } = options;
  const loading = new Map<string, Promise<ExportedFile>>();
  const get = (id: string): ExportedFile | undefined => {
    const known = journal.get(id);
    const file = known === undefined ? undefined : v.parse(fileSchema, JSON.parse(known));
    return file !== undefined && folder.has(file.path) ? file : undefined;
  };
  const load = async (url: string, path: string): Promise<ExportedFile> => {
    const id = fileIdOf(url);
    const known = get(id);
    if (known !== undefined) return known;
    const file = await downloadAgain(options, { id, url, path });
    journal.put(id, JSON.stringify(file));
    return file;
  };
  return {
    get,
    withPaths: (record, path) =>
      replaceFiles(record, async (url) => {
        const file = loading.get(fileIdOf(url)) ?? load(url, path);
        loading.set(fileIdOf(url), file);
        try {
          return { path: (await file).path };
        } catch (error) {
          loading.delete(fileIdOf(url));
          const reason = error instanceof Error ? error.message : String(error);
          report.omit(path, `a file cannot be read: ${reason}`);
          return { path: null };
        }
      }),
  };
}

interface Download {
  readonly id: string;
  readonly url: string;
  /** Reads what names the file. */
  readonly path: string;
}

async function downloadAgain(
  options: SourceFilesOptions,
  { id, url, path }: Download,
): Promise<ExportedFile> {
  for (let attempt = 1, current = url;; attempt++) {
    try {
      return await download({ api: options.source, folder: options.folder }, id, current);
    } catch (error) {
      if (attempt >= ATTEMPTS) throw error;
      current = await newUrl(await options.source.get(path), id) ?? current;
    }
  }
}

async function newUrl(record: JsonObject, id: string): Promise<string | undefined> {
  const urls: string[] = [];
  await replaceFiles(record, (url) => {
    urls.push(url);
    return Promise.resolve({});
  });
  return urls.find((url) => fileIdOf(url) === id);
}

/** A URL is signed anew each time, but its path stays. */
function fileIdOf(url: string): string {
  const path = URL.parse(url)?.pathname ?? url;
  const hex = createHash("sha256").update(path).digest("hex").slice(0, 32);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
