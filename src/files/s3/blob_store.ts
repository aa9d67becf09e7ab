/**
 * Files in a bucket of an S3-compatible store: clients send and read bytes there, under addresses that
 * are signed here.
 *
 * @module
 */
import { dispositionOf } from "../../content/values/disposition.ts";
import type { Upload } from "../../content/values/uploads.ts";
import { AppError } from "../../shared/errors.ts";
import type { BlobStore, FoundBlob } from "../blob_store.ts";
import { presign, type Presigning, type S3Bucket } from "./presign.ts";

export interface S3BlobStoreOptions extends S3Bucket {
  /** Milliseconds that an address to read is valid for at most. */
  readonly validity: number;
  readonly now: () => number;
}

/** Milliseconds that the store has to answer a question of ours. */
const PATIENCE = 5_000;
/** Milliseconds that it has where it is only asked whether it is there. */
const PING_PATIENCE = 2_000;
/** Milliseconds for which what it said to that counts. */
const PING_LIFE = 5_000;
/** Milliseconds that the clock of the store may differ from ours. */
const CLOCK_SLACK = 30 * 60 * 1_000;
/** Milliseconds: S3 signs for a week at most. */
const LONGEST = 7 * 24 * 60 * 60 * 1_000;

/**
 * A shelf in a bucket. The key of an object follows from workspace and upload alone, so that what came
 * can be found and removed whether it was told of or not.
 */
export function createS3BlobStore({ validity, now, ...bucket }: S3BlobStoreOptions): BlobStore {
  const ask = (method: "HEAD" | "DELETE", key: string) =>
    askStore(bucket, { method, key, now: now() });
  return {
    takesParts: false,
    target: async (workspace, upload) => {
      const headers = { "content-type": upload.contentType ?? "application/octet-stream" };
      const url = await presign(bucket, {
        method: "PUT",
        key: keyOf(workspace, upload.id),
        headers: { ...headers, ...lengthOf(upload) },
        ...during(upload.createdTime, upload.createdTime + upload.life),
      });
      return { url, headers };
    },
    address: (workspace, { id, filename, contentType }, expires) =>
      presign(bucket, {
        method: "GET",
        key: keyOf(workspace, id),
        query: {
          "response-content-disposition": dispositionOf({ filename, contentType }),
          "response-content-type": contentType,
        },
        ...during(expires - validity, expires),
      }),
    find: async (workspace, { id }) => {
      const answer = await ask("HEAD", keyOf(workspace, id));
      return answer.status === 404 ? undefined : toFound(id, answer);
    },
    remove: async (workspace, { uploadId }) => void await ask("DELETE", keyOf(workspace, uploadId)),
    ping: createPing(bucket, now),
    local: undefined,
  };
}

/** Signed for a while before, too: the store may go by a clock that is behind ours. */
function during(start: number, end: number): Pick<Presigning, "from" | "seconds"> {
  const from = Math.max(start - CLOCK_SLACK, end - LONGEST);
  return { from, seconds: (end - from) / 1_000 };
}

/** Asks whether the bucket is there; answers what it said where that was a moment ago. */
function createPing(bucket: S3Bucket, now: () => number): () => Promise<void> {
  let asked = -Infinity;
  let answer = Promise.resolve();
  return () => {
    if (now() - asked < PING_LIFE) return answer;
    asked = now();
    answer = askStore(bucket, { method: "HEAD", key: "", now: asked, patience: PING_PATIENCE })
      .then(({ ok }) => {
        if (!ok) throw outOfReach(new Error("The store has no such bucket"));
      });
    return answer;
  };
}

/** The workspace is encoded, as it may hold any character. */
function keyOf(workspace: string, uploadId: string): string {
  const segment = new TextEncoder().encode(workspace).toBase64({ alphabet: "base64url" });
  return `${segment.replaceAll("=", "")}/${uploadId}/content`;
}

/** A length that was announced is signed, so that the store takes no other. */
function lengthOf({ contentLength }: Upload): Record<string, string> {
  return contentLength === null ? {} : { "content-length": String(contentLength) };
}

function toFound(id: string, { headers }: Response): FoundBlob {
  return {
    blob: id,
    contentLength: Number(headers.get("content-length") ?? 0),
    contentType: headers.get("content-type") ?? undefined,
  };
}

interface Question {
  readonly method: "HEAD" | "DELETE";
  readonly key: string;
  readonly now: number;
  readonly patience?: number;
}

/** Asks the store; throws `service_unavailable` where it does not answer, or not as it should. */
async function askStore(
  bucket: S3Bucket,
  { method, key, now, patience = PATIENCE }: Question,
): Promise<Response> {
  const url = await presign(bucket, { method, key, ...during(now, now + CLOCK_SLACK) });
  try {
    const answer = await fetch(url, {
      method,
      redirect: "manual",
      signal: AbortSignal.timeout(patience),
    });
    await answer.body?.cancel();
    if (answer.ok || answer.status === 404) return answer;
    throw new Error(`The store answers ${answer.status}`);
  } catch (cause) {
    throw outOfReach(cause);
  }
}

function outOfReach(cause: unknown): AppError {
  return new AppError("service_unavailable", "Files are out of reach: try again", {
    // The address in a message of `fetch` holds a signature.
    cause: cause instanceof Error ? new Error(withoutQueries(cause.message)) : undefined,
    headers: { "retry-after": "5" },
  });
}

function withoutQueries(message: string): string {
  return message.replaceAll(/\?[^\s)'"]*/g, "?…");
}
