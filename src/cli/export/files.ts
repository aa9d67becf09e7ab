/**
 * The files of an export: downloads each once, and replaces its URL, which expires, by its path.
 *
 * @module
 */
import { parse } from "content-disposition";
import { createHash } from "node:crypto";
import type { ApiClient } from "../transfer/api_client.ts";
import { isObject, type Json, type JsonObject, textAt } from "../transfer/json.ts";
import type { Report } from "../transfer/report.ts";
import { safeFileName } from "./file_names.ts";
import type { ExportFolder } from "./folder.ts";

/** A file of an export. */
export interface ExportedFile {
  /** ID of its upload. */
  readonly id: string;
  /** Path in the folder of the export. */
  readonly path: string;
  readonly name: string;
  readonly contentType: string;
  readonly size: number;
  /** In hexadecimal. */
  readonly sha256: string;
}

export interface FileCollector {
  /**
   * Returns the file behind a URL of the API. Downloads it unless the folder has it. Resolves to
   * undefined, and reports it, if it cannot be read; `where` names what refers to it.
   */
  collect(url: string, where: string): Promise<ExportedFile | undefined>;
  /** Keeps a file of an earlier export, which content that is not read again refers to. */
  keep(id: string): void;
  /** Returns all files that were collected, by ID. */
  files(): readonly ExportedFile[];
}

export interface FileCollectorOptions {
  readonly api: ApiClient;
  readonly folder: ExportFolder;
  readonly report: Report;
  /** Files of an earlier export, which may still be in the folder. */
  readonly earlier: readonly ExportedFile[];
}

export function createFileCollector(options: FileCollectorOptions): FileCollector {
  const { folder, report } = options;
  const earlier = new Map(options.earlier.map((file) => [file.id, file]));
  const loading = new Map<string, Promise<ExportedFile>>();
  const loaded = new Map<string, ExportedFile>();
  const load = async (id: string, url: string): Promise<ExportedFile> => {
    const known = earlier.get(id);
    const isKept = known !== undefined && folder.has(known.path);
    const file = isKept ? known : await download(options, id, url);
    loaded.set(id, file);
    return file;
  };
  return {
    async collect(url, where) {
      const id = uploadIdOf(url);
      if (id === undefined) return void report.omit(where, "a file is gone from the server");
      const file = loading.get(id) ?? load(id, url);
      loading.set(id, file);
      try {
        return await file;
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        return void report.omit(where, `a file cannot be read: ${reason}`);
      }
    },
    keep(id) {
      const known = earlier.get(id);
      if (known !== undefined) loaded.set(id, known);
    },
    files: () => [...loaded.values()].sort((a, b) => a.id < b.id ? -1 : 1),
  };
}

/** Downloads a file into the folder of an export, under the ID given. */
export async function download(
  { api, folder }: Pick<FileCollectorOptions, "api" | "folder">,
  id: string,
  url: string,
): Promise<ExportedFile> {
  const response = await api.download(url);
  const name = nameOf(response, url);
  const path = `files/${id}/${safeFileName(name)}`;
  const hash = createHash("sha256");
  let size = 0;
  const measured = (response.body ?? new Blob([]).stream()).pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        hash.update(chunk);
        size += chunk.length;
        controller.enqueue(chunk);
      },
    }),
  );
  await folder.writeStream(path, measured);
  const contentType = response.headers.get("content-type") ?? "application/octet-stream";
  return { id, path, name, contentType, size, sha256: hash.digest("hex") };
}

/** Its name comes with the response, on disk and in S3; others name it in the URL alone. */
function nameOf({ headers }: Response, url: string): string {
  const disposition = headers.get("content-disposition");
  const named = disposition === null ? undefined : parse(disposition).parameters.filename;
  return named || decoded(new URL(url).pathname.split("/").at(-1) ?? "") || "untitled";
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** URLs of files name the upload before the name of the file. */
function uploadIdOf(url: string): string | undefined {
  const path = URL.parse(url)?.pathname ?? "";
  return /\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/[^/]+$/.exec(path)?.[1];
}

/** Replaces the URLs of files inside a record by `replace`; `file` objects of the API have a URL. */
export async function replaceFiles(
  record: JsonObject,
  replace: (url: string) => Promise<JsonObject>,
): Promise<JsonObject> {
  // Most records have no files, and a search in a text is faster than a walk.
  if (!JSON.stringify(record).includes('"expiry_time"')) return record;
  const visit = async (value: Json | undefined): Promise<Json> => {
    if (Array.isArray(value)) return await Promise.all(value.map(visit));
    if (!isObject(value)) return value ?? null;
    const entries = Object.entries(value).map(async (
      [name, inner],
    ) => [
      name,
      isFileAddress(name, inner) ? await replace(textAt(inner, "url")) : await visit(inner),
    ]);
    return Object.fromEntries(await Promise.all(entries));
  };
  const replaced = await visit(record);
  return isObject(replaced) ? replaced : record;
}

function isFileAddress(name: string, value: Json | undefined): boolean {
  return name === "file" && isObject(value) && typeof value.expiry_time === "string";
}
