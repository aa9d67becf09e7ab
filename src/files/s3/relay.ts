/**
 * Sends bytes that pass through the service to a bucket, without holding a whole file in memory.
 *
 * @module
 */
import { AppError } from "../../shared/errors.ts";
import type { PresignOptions, S3Bucket } from "./presign.ts";
import { readAnswer, sendRequest, unavailable } from "./request.ts";

/** Bytes of a part, and memory of a file on its way: S3 takes no smaller part but the last. */
const PART = 8 * 1024 ** 2;
/** Files on their way at a time. */
const AT_ONCE = 8;
/** Milliseconds for a request to S3. */
const TIME = 120_000;

export interface RelayedObject {
  readonly key: string;
  readonly contentType: string;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/**
 * Stores an object and resolves to its size. Rejects, and stores nothing, if the chunks break off.
 */
export type Relay = (object: RelayedObject) => Promise<number>;

type Send = (
  method: PresignOptions["method"],
  query?: Readonly<Record<string, string>>,
  body?: BodyInit,
) => Promise<Response>;

/**
 * Creates the relay to a bucket. Rejects with `service_unavailable` if too many files are on their
 * way.
 */
export function createRelay(bucket: S3Bucket, now: () => number, partBytes = PART): Relay {
  let running = 0;
  return async ({ key, contentType, chunks }) => {
    if (running >= AT_ONCE) throw busy();
    running++;
    try {
      return await relay(sender(bucket, { key, contentType, now }), partsOf(chunks, partBytes));
    } finally {
      running--;
    }
  };
}

async function relay(send: Send, parts: AsyncIterable<Part>): Promise<number> {
  let size = 0;
  let uploadId: string | undefined;
  const tags: string[] = [];
  try {
    for await (const { part, isLast } of parts) {
      size += part.length;
      if (isLast && uploadId === undefined) {
        await send("PUT", {}, part);
        return size;
      }
      uploadId ??= await begin(send);
      const partNumber = String(tags.length + 1);
      const { headers } = await sendPart(send, { partNumber, uploadId }, part);
      tags.push(headers.get("etag") ?? "");
    }
    if (uploadId !== undefined) await send("POST", { uploadId }, completion(tags));
    return size;
  } catch (error) {
    // The parts already sent would stay in the bucket and be charged for.
    if (uploadId !== undefined) await send("DELETE", { uploadId }).catch(() => {});
    throw error;
  }
}

/** Milliseconds before further attempts to send a part. */
const PAUSES = [250, 1_000, 4_000];

/** Sends a part, and again after a failure: of a part that S3 received twice it stores one. */
async function sendPart(
  send: Send,
  query: Readonly<Record<string, string>>,
  part: Uint8Array<ArrayBuffer>,
): Promise<Response> {
  for (const pause of PAUSES) {
    try {
      return await send("PUT", query, part);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  return await send("PUT", query, part);
}

interface Part {
  readonly part: Uint8Array<ArrayBuffer>;
  readonly isLast: boolean;
}

/** Collects chunks to parts. The last one may be empty, and alone for an empty file. */
async function* partsOf(
  chunks: AsyncIterable<Uint8Array>,
  partBytes: number,
): AsyncGenerator<Part> {
  let buffer = new Uint8Array(partBytes);
  let filled = 0;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length;) {
      // Only if more bytes follow, so that the last part is known as such.
      if (filled === partBytes) {
        yield { part: buffer, isLast: false };
        buffer = new Uint8Array(partBytes);
        filled = 0;
      }
      const piece = chunk.subarray(at, at + partBytes - filled);
      buffer.set(piece, filled);
      filled += piece.length;
      at += piece.length;
    }
  }
  yield { part: buffer.subarray(0, filled), isLast: true };
}

async function begin(send: Send): Promise<string> {
  const text = await readAnswer(await send("POST", { uploads: "" }));
  const [, uploadId] = /<UploadId>([^<]+)<\/UploadId>/.exec(text) ?? [];
  if (uploadId === undefined) throw unavailable(new Error("S3 did not begin an upload in parts"));
  return uploadId.replaceAll("&amp;", "&");
}

function completion(tags: readonly string[]): string {
  const parts = tags.map((tag, index) =>
    `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag.replaceAll("&", "&amp;")}</ETag></Part>`
  );
  return `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`;
}

interface Sending {
  readonly key: string;
  readonly contentType: string;
  readonly now: () => number;
}

function sender(bucket: S3Bucket, { key, contentType, now }: Sending): Send {
  return async (method, query = {}, body) => {
    const isTyped = query.partNumber === undefined && query.uploadId === undefined;
    const response = await sendRequest(bucket, {
      method,
      key,
      query,
      now: now(),
      timeOut: TIME,
      headers: isTyped ? { "content-type": contentType } : {},
      ...(body !== undefined && { body }),
    });
    if (response.ok) return response;
    await response.body?.cancel();
    throw unavailable(new Error(`S3 responded with status ${response.status}`));
  };
}

function busy(): AppError {
  return new AppError("service_unavailable", "Too many files are being sent: try again", {
    headers: { "retry-after": "5" },
  });
}
