/**
 * A file as the answer to whoever has its address. Whatever it is, it never runs as our origin.
 *
 * @module
 */
import { dispositionOf } from "../../content/values/disposition.ts";
import { normalizeId } from "../../content/values/ids.ts";
import type { Upload } from "../../content/values/uploads.ts";
import { notFound } from "../../shared/errors.ts";
import type { Call, Reply } from "../../http/endpoint.ts";
import type { Services } from "../shared/services.ts";

/** What guards a file; a 304 has it too, since browsers put its fields in place of those they keep. */
const APART = {
  // No scripts, no forms, an origin of its own; a picture or a film may show itself.
  contentSecurityPolicy:
    "sandbox; default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'",
  // An address is given to be shown elsewhere.
  fields: { "cross-origin-resource-policy": "cross-origin" },
} as const;

type ReadCall = Call<
  { readonly workspace: string; readonly upload_id: string; readonly filename: string },
  { readonly expires: number; readonly signature: string },
  unknown
>;

/** Reads a file that content refers to, or that arrived not long ago. */
export async function readFile(call: ReadCall, services: Services): Promise<Reply> {
  const { params, query, now } = call;
  const { signer, blobs } = services.files;
  const id = normalizeId(params.upload_id);
  const address = { purpose: "content" as const, segment: params.workspace, uploadId: id };
  const workspace = signer.verify({ ...address, ...query }, now);
  const [upload] = await services.store.uploads(workspace, [id]);
  const file = upload && fileOf(upload);
  if (file === undefined || file.filename !== params.filename) throw notFound("file", id);
  const etag = `"${file.hash}"`;
  call.requireMatch(etag);
  const seconds = Math.max(0, Math.floor(query.expires - now / 1_000));
  const cacheControl = `private, max-age=${seconds}, immutable`;
  if (call.isNotModified(etag)) return { body: "", etag, cacheControl, ...APART };
  const { size } = file;
  const range = call.rangeOf({ etag, size });
  const piece = range && { start: range.start, stop: range.end + 1 };
  const body = await blobs.local?.read(workspace, file.blob, piece);
  if (body === undefined) throw notFound("file", id);
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

interface ReadableFile {
  readonly filename: string;
  readonly contentType: string;
  readonly size: number;
  readonly hash: string;
  readonly blob: string;
}

/** Undefined of a file whose bytes are not here. */
function fileOf(upload: Upload): ReadableFile | undefined {
  const { status, filename, contentType, contentLength: size, hash, blob } = upload;
  if (status !== "uploaded" || filename === null || contentType === null) return undefined;
  if (size === null || hash === null || blob === null) return undefined;
  return { filename, contentType, size, hash, blob };
}
