/**
 * Files in a bucket of an S3-compatible store: clients send and read bytes there, under addresses that
 * are signed here.
 *
 * @module
 */
import { dispositionOf } from "../../content/values/disposition.ts";
import type { Upload } from "../../content/values/uploads.ts";
import { AppError } from "../../shared/errors.ts";
import type { BlobStore, UploadedBlob } from "../blob_store.ts";
import { presign, type PresignOptions, type S3Bucket } from "./presign.ts";

export interface S3BlobStoreOptions extends S3Bucket {
  /** Milliseconds that an address to read is valid for at most. */
  readonly validity: number;
  readonly now: () => number;
}

/** Milliseconds that the store has to answer a question of ours. */
const TIME_OUT = 5_000;
/** Milliseconds that it has where it is only asked whether it is there. */
const PING_TIME_OUT = 2_000;
/** Milliseconds for which what it said to that counts. */
const PING_MAX_AGE = 5_000;
/** Milliseconds that the clock of the store may differ from ours. */
const CLOCK_TOLERANCE = 30 * 60 * 1_000;
/** Milliseconds: S3 signs for a week at most. */
const MAX_VALIDITY = 7 * 24 * 60 * 60 * 1_000;

/**
 * A shelf in a bucket. The key of an object follows from workspace and upload alone, so that what came
 * can be found and removed whether it was told of or not.
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
  };
}

/** Signed for a while before, too: the store may go by a clock that is behind ours. */
function validityBetween(start: number, end: number): Pick<PresignOptions, "from" | "seconds"> {
  const from = Math.max(start - CLOCK_TOLERANCE, end - MAX_VALIDITY);
  return { from, seconds: (end - from) / 1_000 };
}

/** Asks whether the bucket is there; answers what it said where that was a moment ago. */
function createPing(bucket: S3Bucket, now: () => number): () => Promise<void> {
  let asked = -Infinity;
  let response = Promise.resolve();
  return () => {
    if (now() - asked < PING_MAX_AGE) return response;
    asked = now();
    response = sendRequest(bucket, { method: "HEAD", key: "", now: asked, timeOut: PING_TIME_OUT })
      .then(({ ok }) => {
        if (!ok) throw unavailable(new Error("The store has no such bucket"));
      });
    return response;
  };
}

/** The workspace is encoded, as it may hold any character. */
function objectKey(workspace: string, uploadId: string): string {
  const segment = new TextEncoder().encode(workspace).toBase64({ alphabet: "base64url" });
  return `${segment.replaceAll("=", "")}/${uploadId}/content`;
}

/** A length that was announced is signed, so that the store takes no other. */
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

/** Asks the store; throws `service_unavailable` where it does not answer, or not as it should. */
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
    throw new Error(`The store answers ${response.status}`);
  } catch (cause) {
    throw unavailable(cause);
  }
}

function unavailable(cause: unknown): AppError {
  return new AppError("service_unavailable", "Files are out of reach: try again", {
    // The address in a message of `fetch` holds a signature.
    cause: cause instanceof Error ? new Error(withoutQueries(cause.message)) : undefined,
    headers: { "retry-after": "5" },
  });
}

function withoutQueries(message: string): string {
  return message.replaceAll(/\?[^\s)'"]*/g, "?…");
}
