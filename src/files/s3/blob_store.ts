/**
 * Blob store in a bucket of an S3-compatible service: clients upload and download there, with URLs
 * that are signed here.
 *
 * @module
 */
import { createHash, type Hash } from "node:crypto";
import { dispositionOf } from "../../content/values/disposition.ts";
import type { Upload } from "../../content/values/uploads.ts";
import { AppError } from "../../shared/errors.ts";
import type { BlobReceiver, BlobStore, UploadedBlob } from "../blob_store.ts";
import { createRelay, type Relay } from "./relay.ts";
import { presign, type PresignOptions, type S3Bucket } from "./presign.ts";

export interface S3BlobStoreOptions extends S3Bucket {
  /** Maximum validity of a download URL in milliseconds. */
  readonly validity: number;
  readonly now: () => number;
}

/** Milliseconds for a request to S3. */
const TIME_OUT = 5_000;
/** Milliseconds for the request of a ping. */
const PING_TIME_OUT = 2_000;
/** Milliseconds for which the result of a ping is cached. */
const PING_MAX_AGE = 5_000;
/** Tolerated clock difference to S3, in milliseconds. */
const CLOCK_TOLERANCE = 30 * 60 * 1_000;
/** Milliseconds; S3 accepts signatures for a week at most. */
const MAX_VALIDITY = 7 * 24 * 60 * 60 * 1_000;

/**
 * Creates a blob store in a bucket. Object keys derive from workspace and upload ID, so that an
 * uploaded file can be found and deleted even if the client never completed the upload.
 */
export function createS3BlobStore({ validity, now, ...bucket }: S3BlobStoreOptions): BlobStore {
  const ask = (method: "HEAD" | "DELETE", key: string) =>
    sendRequest(bucket, { method, key, now: now() });
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
    downloadUrl: (workspace, { id, filename, contentType }, expires) =>
      presign(bucket, {
        method: "GET",
        key: objectKey(workspace, id),
        query: {
          "response-content-disposition": dispositionOf({ filename, contentType }),
          "response-content-type": contentType,
        },
        ...validityBetween(expires - validity, expires),
      }),
    find: async (workspace, { id }) => {
      const response = await ask("HEAD", objectKey(workspace, id));
      return response.status === 404 ? undefined : toUploadedBlob(id, response);
    },
    remove: async (workspace, { uploadId }) =>
      void await ask("DELETE", objectKey(workspace, uploadId)),
    ping: createPing(bucket, now),
    local: undefined,
    receiver: createReceiver(createRelay(bucket, now)),
  };
}

/**
 * Creates what sends bytes on to the bucket, under the key that a client would send them to. Bytes that
 * are not as announced stay there until the upload expires.
 */
function createReceiver(relay: Relay): BlobReceiver {
  return {
    receive: async (workspace, uploadId, chunks) => {
      const hash = createHash("sha256");
      const size = await relay({
        key: objectKey(workspace, uploadId),
        contentType: "application/octet-stream",
        chunks: hashed(chunks, hash),
      });
      return {
        size,
        hash: hash.digest("hex"),
        store: () => Promise.resolve(),
        storePart: () => Promise.reject(new Error("A bucket takes every file in one piece")),
        [Symbol.asyncDispose]: () => Promise.resolve(),
      };
    },
  };
}

async function* hashed(
  chunks: AsyncIterable<Uint8Array>,
  hash: Hash,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}

/** Starts earlier by the tolerated clock difference, as S3's clock may be behind ours. */
function validityBetween(start: number, end: number): Pick<PresignOptions, "from" | "seconds"> {
  const from = Math.max(start - CLOCK_TOLERANCE, end - MAX_VALIDITY);
  return { from, seconds: (end - from) / 1_000 };
}

/** Checks that the bucket exists; a recent result is cached. */
function createPing(bucket: S3Bucket, now: () => number): () => Promise<void> {
  let startedAt = -Infinity;
  let result = Promise.resolve();
  return () => {
    if (now() - startedAt < PING_MAX_AGE) return result;
    startedAt = now();
    result = sendRequest(bucket, {
      method: "HEAD",
      key: "",
      now: startedAt,
      timeOut: PING_TIME_OUT,
    })
      .then(({ ok }) => {
        if (!ok) throw unavailable(new Error("The bucket does not exist"));
      });
    return result;
  };
}

/** Returns the key of an upload. The workspace is encoded, because it may contain any character. */
export function objectKey(workspace: string, uploadId: string): string {
  const segment = new TextEncoder().encode(workspace).toBase64({ alphabet: "base64url" });
  return `${segment.replaceAll("=", "")}/${uploadId}/content`;
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

interface S3Request {
  readonly method: "HEAD" | "DELETE";
  readonly key: string;
  readonly now: number;
  readonly timeOut?: number;
}

/** Sends a request to S3; throws `service_unavailable` if it fails. */
async function sendRequest(
  bucket: S3Bucket,
  { method, key, now, timeOut = TIME_OUT }: S3Request,
): Promise<Response> {
  const url = await presign(bucket, {
    method,
    key,
    ...validityBetween(now, now + CLOCK_TOLERANCE),
  });
  try {
    const response = await fetch(url, {
      method,
      redirect: "manual",
      signal: AbortSignal.timeout(timeOut),
    });
    await response.body?.cancel();
    if (response.ok || response.status === 404) return response;
    throw new Error(`S3 responded with status ${response.status}`);
  } catch (cause) {
    throw unavailable(cause);
  }
}

function unavailable(cause: unknown): AppError {
  return new AppError("service_unavailable", "File storage is unreachable: try again", {
    // The error message of `fetch` contains the URL with its signature.
    cause: cause instanceof Error ? new Error(withoutQueries(cause.message)) : undefined,
    headers: { "retry-after": "5" },
  });
}

function withoutQueries(message: string): string {
  return message.replaceAll(/\?[^\s)'"]*/g, "?…");
}
