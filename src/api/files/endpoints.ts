/**
 * Upload and download of files, outside `/v2` and without tokens: the signed URL is the permission.
 * Only used if the service stores files itself.
 *
 * @module
 */
import * as v from "valibot";
import { idInput, normalizeId } from "../../content/values/ids.ts";
import { fileUpload, type Upload } from "../../content/values/uploads.ts";
import { AppError, notFound } from "../../shared/errors.ts";
import type { LocalBlobStore } from "../../files/blob_store.ts";
import type { UrlGrant } from "../../files/signing.ts";
import type { Call, Reply, Tag } from "../../http/endpoint.ts";
import { joinParts, partOf, storePart } from "./parts.ts";
import { readFile } from "./read_file.ts";
import { arrivalOf, receive, type ReceivedUpload, receivePart, storeFile } from "./receive_file.ts";
import { define, type Services } from "../shared/services.ts";
import { findUpload, uploadObject } from "../shared/uploads.ts";

export const FILES: Tag = {
  name: "Files",
  description: "Upload files to use in content, icons, covers and properties.",
};

const workspace = v.pipe(v.string(), v.maxLength(2_048), v.description("The encoded workspace."));
const uploadParams = v.strictObject({ workspace, upload_id: idInput });
const signed = {
  expires: v.pipe(
    v.number(),
    v.integer(),
    v.minValue(0),
    v.description("When the URL expires, in seconds since 1970."),
  ),
  signature: v.pipe(v.string(), v.maxLength(64)),
};
const partNumber = v.pipe(v.string(), v.regex(/^[1-9]\d{0,3}$/, "a number from 1 on"));
const uploadQuery = v.strictObject({ ...signed, part_number: v.exactOptional(partNumber) });

const upload = {
  path: "/files/upload/:workspace/:upload_id",
  tag: FILES,
  params: uploadParams,
  query: uploadQuery,
  response: fileUpload,
  operational: true,
  streams: true,
  handle: takeFile,
} as const;

export const fileContentEndpoints = [
  define({
    ...upload,
    method: "PUT",
    operationId: "sendFile",
    summary: "Send a file",
    description: "Uploads a file, or a part of it, as the request body.",
  }),
  define({
    ...upload,
    method: "POST",
    operationId: "sendFileInForm",
    summary: "Send a file in a form",
    description: "Uploads a file, or a part of it, in the field `file` of a form.",
  }),
  define({
    method: "POST",
    path: "/files/complete/:workspace/:upload_id",
    operationId: "completeUpload",
    tag: FILES,
    summary: "Complete an upload",
    description: "Joins the uploaded parts to one file.",
    params: uploadParams,
    query: v.strictObject(signed),
    response: fileUpload,
    operational: true,
    streams: true,
    handle: completeFile,
  }),
  define({
    method: "GET",
    path: "/files/content/:workspace/:upload_id/:filename",
    operationId: "readFile",
    tag: FILES,
    summary: "Read a file",
    description: "Returns the bytes of a file, or a range of them.",
    params: v.strictObject({
      ...uploadParams.entries,
      filename: v.pipe(v.string(), v.maxLength(2_048)),
    }),
    query: v.strictObject(signed),
    response: v.string(),
    operational: true,
    handle: readFile,
  }),
];

type UploadParams = v.InferOutput<typeof uploadParams>;
type UploadCall<Query> = Call<UploadParams, Query, unknown>;
type SignedCall = UploadCall<{ readonly expires: number; readonly signature: string }>;

/** The upload that a signed URL is for. */
interface UploadTarget {
  readonly blobs: LocalBlobStore;
  readonly workspace: string;
  readonly upload: Upload;
}

async function findTarget(
  { params, query, now }: SignedCall,
  services: Services,
  purpose: UrlGrant["purpose"],
): Promise<UploadTarget> {
  const { signer, blobs: { local: blobs } } = services.files;
  const uploadId = normalizeId(params.upload_id);
  const address = { purpose, segment: params.workspace, uploadId, ...query };
  const workspace = signer.verify(address, now);
  if (blobs === undefined) throw notFound("file_upload", uploadId);
  const upload = await findUpload(services, workspace, uploadId);
  if (upload.status === "uploaded") {
    throw new AppError("conflict_error", "The file was already uploaded");
  }
  return { blobs, workspace, upload };
}

async function takeFile(
  call: UploadCall<v.InferOutput<typeof uploadQuery>>,
  services: Services,
): Promise<Reply> {
  const { incoming, query, now } = call;
  if (incoming === undefined) throw new Error("A route that streams has a body");
  const addressed = await findTarget(call, services, "upload");
  const { workspace, upload } = addressed;
  const { store, files: { maxBytes } } = services;
  const receiving = { ...addressed, store, maxBytes };
  if (upload.parts === null) {
    const sent = await receive(incoming, receiving);
    await using _ = sent.received;
    return await keepFile(services, addressed, { sent, now });
  }
  const { received: part, partNumber } = await receivePart(incoming, receiving);
  await using _ = part;
  const number = partOf(upload, query.part_number ?? partNumber);
  await storePart(services, { workspace, upload, part, number });
  return await uploadReply(services, workspace, { upload, now });
}

async function completeFile(call: SignedCall, services: Services): Promise<Reply> {
  const addressed = await findTarget(call, services, "complete");
  const { maxBytes } = services.files;
  await using received = await joinParts(addressed.blobs, { ...addressed, maxBytes });
  const sent = { received, filename: undefined, type: undefined };
  return await keepFile(services, addressed, { sent, now: call.now });
}

interface SentFile {
  readonly sent: Omit<ReceivedUpload, "partNumber">;
  readonly now: number;
}

async function keepFile(
  services: Services,
  { workspace, upload }: UploadTarget,
  { sent, now }: SentFile,
): Promise<Reply> {
  const arrival = arrivalOf(upload, sent, services.files.maxBytes);
  const { received } = sent;
  const stored = await storeFile(services, { workspace, upload, received, arrival });
  return uploadReply(services, workspace, { upload: stored, now });
}

async function uploadReply(
  services: Services,
  workspace: string,
  state: { readonly upload: Upload; readonly now: number },
): Promise<Reply> {
  return { body: await uploadObject(services, workspace, state), cacheControl: "no-store" };
}
