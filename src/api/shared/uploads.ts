/**
 * Uploads: as responses, and as the files that content refers to.
 *
 * @module
 */
import {
  type DownloadUrl,
  fillFiles,
  fromUpload,
  uploadOf,
  uploadsIn,
} from "../../content/values/hosted_files.ts";
import {
  type FileUpload,
  isExpired,
  mediaTypeOf,
  type Upload,
} from "../../content/values/uploads.ts";
import { notFound, validationError, type ValidationIssue } from "../../shared/errors.ts";
import { pointerTo } from "../../shared/validation_issue.ts";
import type { UploadedBlob } from "../../files/blob_store.ts";
import type { Call } from "../../http/endpoint.ts";
import { collect, mapTexts, type Text } from "../../shared/long_text.ts";
import { listsOf } from "../../shared/portions.ts";
import { createRest } from "../../shared/yield_to_event_loop.ts";
import type { Services } from "./services.ts";

/** Returns the upload with this ID. Throws `object_not_found`. */
export async function findUpload(
  { store }: Services,
  workspace: string,
  id: string,
): Promise<Upload> {
  const [upload] = await store.uploads(workspace, [id]);
  if (upload === undefined) throw notFound("file_upload", id);
  return upload;
}

/** Returns an upload as a response body. */
export async function uploadObject(
  { store, files }: Services,
  workspace: string,
  { upload, now }: { readonly upload: Upload; readonly now: number },
): Promise<FileUpload> {
  const [user] = await store.users(workspace, [upload.createdBy]);
  const { url, headers, completeUrl } = await files.blobs.uploadTarget(workspace, upload);
  const sent = upload.parts && await files.blobs.receiver.parts(workspace, upload.id);
  const created = new Date(upload.createdTime).toISOString();
  const { expiresTime } = upload;
  return {
    object: "file_upload",
    id: upload.id,
    created_time: created,
    last_edited_time: created,
    created_by: { id: upload.createdBy, type: user?.type ?? "person" },
    archived: false,
    expiry_time: expiresTime === null ? null : new Date(expiresTime).toISOString(),
    status: isExpired(upload, now) ? "expired" : upload.status,
    filename: upload.filename,
    content_type: upload.contentType,
    content_length: upload.contentLength,
    upload_url: url,
    upload_method: "PUT",
    upload_headers: headers,
    ...(completeUrl !== undefined && { complete_url: completeUrl }),
    ...(upload.parts !== null && {
      number_of_parts: { total: upload.parts, sent: sent ? sent.length : 0 },
    }),
  };
}

/** Files that one query looks up. */
const PORTION = 1_000;

/** Returns download URLs of files. */
export async function readDownloadUrls(
  { store, files }: Services,
  workspace: string,
  uploads: ReadonlySet<string>,
  rest = createRest(),
): Promise<ReadonlyMap<string, DownloadUrl>> {
  const found = new Map<string, DownloadUrl>();
  for (const ids of listsOf([...uploads], PORTION)) {
    const urls = await files.downloadUrls(workspace, await store.uploads(workspace, ids));
    for (const [id, url] of urls) found.set(id, url);
    await rest();
  }
  return found;
}

/** Returns documents with the download URLs of their files filled in. */
export async function withFiles<T extends Text>(
  services: Services,
  workspace: string,
  texts: readonly T[],
  rest = createRest(),
): Promise<readonly T[]> {
  const uploads = await collect(texts, uploadsIn, rest);
  const downloadUrls = await readDownloadUrls(services, workspace, uploads, rest);
  return downloadUrls.size === 0
    ? texts
    : mapTexts(texts, (text) => fillFiles(text, downloadUrls), rest);
}

/** An upload that a request refers to, and the object that refers to it. */
interface UploadReference {
  readonly id: string;
  readonly pointer: string;
  readonly holder: Readonly<Record<string, unknown>>;
}

/**
 * Returns the call with names for the hosted files that have none. Throws `validation_error` if the body
 * refers to uploads that are missing, expired or still pending.
 */
export async function withUploads<C extends UploadsCall>(services: Services, call: C): Promise<C> {
  const named: UploadReference[] = [];
  findUploads(call.body, [], named);
  if (named.length === 0) return call;
  const { caller: { workspace }, now } = call;
  const ids = [...new Set(named.map(({ id }) => id))];
  const found = await services.store.uploads(workspace, ids);
  const uploads = new Map(found.map((upload) => [upload.id, upload]));
  for (const [id, upload] of uploads) {
    if (upload.status === "pending") uploads.set(id, await arrived(services, workspace, upload));
  }
  const issues = named.flatMap((one) => issueOf(one, uploads.get(one.id), now) ?? []);
  if (issues.length > 0) throw validationError(issues);
  const names = new Map(named.map(({ holder, id }) => [holder, uploads.get(id)?.filename ?? ""]));
  // Sound because only names of files differ, and every file may have one.
  return { ...call, body: withNames(call.body, names) } as C;
}

type UploadsCall = Pick<Call<unknown, unknown, unknown>, "caller" | "now" | "body">;

function issueOf(
  { id, pointer }: UploadReference,
  upload: Upload | undefined,
  now: number,
): ValidationIssue | undefined {
  if (upload === undefined || isExpired(upload, now)) {
    return { pointer, detail: `Could not find file_upload with ID: ${id}.` };
  }
  if (upload.status === "uploaded") return undefined;
  return {
    pointer,
    detail:
      `The file of file_upload ${id} was not uploaded yet, or differs from what was announced.`,
  };
}

/** Returns the current state of a pending upload, whose bytes may have gone directly to the blob store. */
async function arrived(
  { store, files }: Services,
  workspace: string,
  upload: Upload,
): Promise<Upload> {
  const found = await files.blobs.find(workspace, upload);
  if (found === undefined || !isAsAnnounced(upload, found, files.maxBytes)) return upload;
  const { blob, contentLength, contentType } = found;
  const filename = upload.filename ?? "untitled";
  const arrival = {
    ...{ blob, hash: null, filename, contentLength },
    contentType: mediaTypeOf(contentType),
  };
  await store.commit(workspace, [
    { op: "storeUpload", uploadId: upload.id, blob },
    { op: "completeUpload", uploadId: upload.id, ...arrival },
  ]);
  // Either this commit or an earlier one recorded the arrival.
  const [now = upload] = await store.uploads(workspace, [upload.id]);
  return now;
}

function isAsAnnounced(upload: Upload, found: UploadedBlob, maxBytes: number): boolean {
  const { contentLength = null } = upload;
  return found.contentLength <= maxBytes &&
    (contentLength === null || contentLength === found.contentLength);
}

/**
 * Adds the uploads that a body refers to, with their JSON pointers. They are recognized by their shape:
 * only a property, which the client names, can have another value under `file_upload` or `file`. A
 * body may have 5,000 blocks and no upload, so pointers are made for uploads alone.
 */
function findUploads(value: unknown, path: string[], found: UploadReference[]): void {
  if (typeof value !== "object" || value === null) return;
  const holder = value as UploadReference["holder"]; // sound because any object can be asked for any name
  const hasProperties = isPropertiesPath(path);
  for (const key of Object.keys(holder)) {
    const inner = holder[key];
    if (typeof inner !== "object" || inner === null) continue;
    path.push(key);
    const named = hasProperties ? undefined : namedBy(key, inner);
    if (named === undefined) {
      findUploads(inner, path, found);
    } else {
      const pointer = [...path, named.member].reduce(pointerTo, "");
      found.push({ id: named.id, pointer, holder });
    }
    path.pop();
  }
}

/** Returns whether a path leads to the properties of a body, or of one of its lines. */
function isPropertiesPath(path: readonly string[]): boolean {
  return path.at(-1) === "properties" &&
    (path.length === 1 || path.length === 2 && /^\d+$/.test(path[0] ?? ""));
}

function namedBy(
  key: string,
  value: object,
): { readonly id: string; readonly member: string } | undefined {
  if (key === "file_upload" && "id" in value) {
    return { id: fromUpload({ id: String(value.id) }).upload, member: "id" };
  }
  // Values of properties are validated later, so that this one may be any URL.
  const id = key === "file" && "url" in value ? uploadOf(String(value.url)) : undefined;
  return id === undefined ? undefined : { id, member: "url" };
}

/** Returns a copy in which these objects have a name. Existing names are kept. */
function withNames(value: unknown, names: ReadonlyMap<object, string>): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withNames(item, names));
  const members = Object.entries(value).map(([key, inner]) => [key, withNames(inner, names)]);
  const copy = Object.fromEntries(members);
  const name = names.get(value);
  return name === undefined || "name" in copy ? copy : { ...copy, name };
}
