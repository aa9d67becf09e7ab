/**
 * Serves a file to anyone who has its URL. A file never runs scripts in the origin of the service.
 *
 * @module
 */
import { dispositionOf } from "../../content/values/disposition.ts";
import { normalizeId } from "../../content/values/ids.ts";
import { mediaTypeOf, nameInUrl, type Upload } from "../../content/values/uploads.ts";
import { damagedFile, DamagedFileError, MISSING } from "../../shared/damaged_file.ts";
import { type AppError, notFound } from "../../shared/errors.ts";
import type { FileToRead } from "../../files/blob_store.ts";
import type { Call, Reply } from "../../http/endpoint.ts";
import type { Services } from "../shared/services.ts";

/** Security headers of a file. A 304 has them too, since browsers update cached headers from it. */
const APART = {
  // No scripts, no forms, and an origin of its own. Images and videos may show themselves.
  contentSecurityPolicy:
    "sandbox; default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'",
  // URLs are meant to be embedded in other sites.
  fields: { "cross-origin-resource-policy": "cross-origin" },
} as const;

type ReadCall = Call<
  { readonly workspace: string; readonly upload_id: string; readonly filename: string },
  { readonly expires: number; readonly signature: string },
  unknown
>;

/** The name that a URL of the file has, and that of earlier releases. */
function namesOf({ filename }: { readonly filename: string }): string[] {
  return [nameInUrl(filename), filename];
}

/** Reads a file that content refers to, or that was uploaded recently. */
export async function readFile(call: ReadCall, services: Services): Promise<Reply> {
  const { params, query, now } = call;
  const { signer, blobs } = services.files;
  const id = normalizeId(params.upload_id);
  const address = { purpose: "content" as const, segment: params.workspace, uploadId: id };
  const workspace = signer.verify({ ...address, ...query }, now);
  const [upload] = await services.store.uploads(workspace, [id]);
  const file = upload && fileOf(upload);
  if (file === undefined || !namesOf(file).includes(params.filename)) throw notFound("file", id);
  const etag = `"${file.hash}"`;
  call.requireMatch(etag);
  const seconds = Math.max(0, Math.floor(query.expires - now / 1_000));
  const cacheControl = `private, max-age=${seconds}, immutable`;
  if (call.isNotModified(etag)) return { body: "", etag, cacheControl, ...APART };
  const { size } = file;
  const range = call.rangeOf({ etag, size });
  const piece = range && { start: range.start, stop: range.end + 1 };
  const body = await blobs.local?.read(workspace, file, piece);
  if (body === undefined) throw await missingFile(services, workspace, id);
  const { start, stop } = piece ?? { start: 0, stop: size };
  return {
    ...(piece !== undefined && { status: 206 as const }),
    body,
    etag,
    cacheControl,
    contentType: file.contentType,
    contentSecurityPolicy: APART.contentSecurityPolicy,
    fields: {
      ...APART.fields,
      "accept-ranges": "bytes",
      "content-disposition": dispositionOf(file),
      "content-length": String(stop - start),
      ...(piece !== undefined && { "content-range": `bytes ${start}-${stop - 1}/${size}` }),
    },
  };
}

/** An upload whose bytes are gone may have expired in the meantime; otherwise they are lost. */
async function missingFile(
  { store, files }: Services,
  workspace: string,
  id: string,
): Promise<AppError> {
  const [upload] = files.blobs.local === undefined ? [] : await store.uploads(workspace, [id]);
  return upload === undefined
    ? notFound("file", id)
    : damagedFile(new DamagedFileError(workspace, id, MISSING));
}

interface ReadableFile extends FileToRead {
  readonly filename: string;
  readonly contentType: string;
}

/** Returns undefined if the bytes are not stored by this service. */
function fileOf(upload: Upload): ReadableFile | undefined {
  const { id, status, filename, contentType, contentLength: size, hash, blob } = upload;
  if (status !== "uploaded" || filename === null || contentType === null) return undefined;
  if (size === null || hash === null || blob === null) return undefined;
  // Earlier releases stored any text that a form had as the type.
  return { id, filename, contentType: mediaTypeOf(contentType), size, hash, blob };
}
