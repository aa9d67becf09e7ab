/**
 * Blob store in a bucket of an S3-compatible service: clients upload and download there, with URLs
 * that are signed here.
 *
 * @module
 */
import { dispositionOf } from "../../content/values/disposition.ts";
import { nameInUrl, type Upload } from "../../content/values/uploads.ts";
import type { BlobStore, UploadedBlob } from "../blob_store.ts";
import { cachePing } from "../cached_ping.ts";
import { objectKey } from "./object_keys.ts";
import { presign, type S3Bucket } from "./presign.ts";
import { createReceiver } from "./receiver.ts";
import { sendRequest, unavailable, validityBetween } from "./request.ts";

export interface S3BlobStoreOptions extends S3Bucket {
  /** Maximum validity of a download URL in milliseconds. */
  readonly validity: number;
  readonly now: () => number;
}

/** Milliseconds for the request of a ping. */
const PING_TIME_OUT = 2_000;

/**
 * Creates a blob store in a bucket. Object keys derive from workspace and upload ID, so that an
 * uploaded file can be found and deleted even if the client never completed the upload.
 */
export function createS3BlobStore({ validity, now, ...bucket }: S3BlobStoreOptions): BlobStore {
  const receiver = createReceiver(bucket, now);
  const ask = async (method: "HEAD" | "DELETE", key: string) => {
    const response = await sendRequest(bucket, { method, key, now: now() });
    await response.body?.cancel();
    return response;
  };
  return {
    takesParts: false,
    uploadTarget: async (workspace, upload) => {
      const headers = { "content-type": upload.contentType ?? "application/octet-stream" };
      const url = await presign(bucket, {
        method: "PUT",
        key: objectKey(workspace, upload.id),
        headers: { ...headers, ...lengthHeader(upload) },
        ...validityBetween(upload.createdTime, upload.createdTime + upload.life),
      });
      return { url, headers };
    },
    downloadUrl: (workspace, { blob, filename, contentType }, expires) =>
      presign(bucket, {
        method: "GET",
        key: objectKey(workspace, blob),
        query: {
          "response-content-disposition": dispositionOf({
            filename: nameInUrl(filename),
            contentType,
          }),
          "response-content-type": contentType,
        },
        ...validityBetween(expires - validity, expires),
      }),
    find: async (workspace, { id }) => {
      const response = await ask("HEAD", objectKey(workspace, id));
      return response.status === 404 ? undefined : toUploadedBlob(id, response);
    },
    remove: async (workspace, { uploadId, blob }) => {
      if (blob !== "") await ask("DELETE", objectKey(workspace, blob));
      else await receiver.removeFiles(workspace, uploadId);
    },
    ping: cachePing((time) => assertExists(bucket, time), now),
    local: undefined,
    receiver,
  };
}

/** Throws `service_unavailable` if the bucket does not exist or is unreachable. */
async function assertExists(bucket: S3Bucket, now: number): Promise<void> {
  const request = { method: "HEAD", key: "", now, timeOut: PING_TIME_OUT } as const;
  const { ok, body } = await sendRequest(bucket, request);
  await body?.cancel();
  if (!ok) throw unavailable(new Error("The bucket does not exist"));
}

/** An announced length is signed, so that S3 accepts no other. */
function lengthHeader({ contentLength }: Upload): Record<string, string> {
  return contentLength === null ? {} : { "content-length": String(contentLength) };
}

function toUploadedBlob(id: string, { headers }: Response): UploadedBlob {
  return {
    blob: id,
    contentLength: Number(headers.get("content-length") ?? 0),
    contentType: headers.get("content-type") ?? undefined,
  };
}
