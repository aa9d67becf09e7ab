/**
 * Sends the bytes that clients send to the service on to a bucket: files whole, or in parts of any
 * size, which are objects of their own until the file is joined.
 *
 * @module
 */
import { createHash, type Hash } from "node:crypto";
import type { BlobReceiver } from "../blob_store.ts";
import { listObjects } from "./list.ts";
import {
  FILE_KEY,
  folderOf,
  newBlob,
  newPartKey,
  objectKey,
  partKey,
  partsFolder,
} from "./object_keys.ts";
import type { S3Bucket } from "./presign.ts";
import { createRelay, type Relay } from "./relay.ts";
import { readAnswer, type S3Request, sendRequest, unavailable } from "./request.ts";

/** Milliseconds for a request on a part, whatever its size. */
const PART_TIME_OUT = 10 * 60_000;

/** Requests to one bucket. */
type Ask = (request: Omit<S3Request, "now">) => Promise<Response>;

/** A receiver that sends bytes on to a bucket. */
export interface BucketReceiver extends BlobReceiver {
  /** Deletes the files of an upload, and none of its parts. Idempotent. */
  removeFiles(workspace: string, uploadId: string): Promise<void>;
}

/**
 * Creates what sends bytes on to the bucket: each file under a key of its own, because several
 * requests may send files of one upload, of which one is stored.
 */
export function createReceiver(bucket: S3Bucket, now: () => number): BucketReceiver {
  const relay = createRelay(bucket, now);
  const ask: Ask = (request) => sendRequest(bucket, { ...request, now: now() });
  return {
    receive: async (workspace, uploadId, chunks) => {
      const blob = newBlob(uploadId);
      const key = objectKey(workspace, blob);
      let isStored = false;
      return {
        ...await send(relay, key, chunks),
        blob,
        store: () => {
          isStored = true;
          return Promise.resolve();
        },
        // If this fails, the object is deleted when the upload expires.
        [Symbol.asyncDispose]: () =>
          isStored ? Promise.resolve() : remove(ask, key).catch(() => {}),
      };
    },
    // A form may tell the number of its part behind the bytes, so they get their place by a copy.
    receivePart: async (workspace, uploadId, chunks) => {
      const key = newPartKey(workspace, uploadId);
      return {
        ...await send(relay, key, chunks),
        store: (number) => copy(bucket, ask, [key, partKey(workspace, uploadId, number)]),
        // If this fails, the object is deleted with the other parts.
        [Symbol.asyncDispose]: () => remove(ask, key).catch(() => {}),
      };
    },
    parts: async (workspace, uploadId) => {
      const folder = partsFolder(workspace, uploadId);
      const keys = await keysIn(ask, folder);
      return keys.map((key) => Number(key.slice(folder.length)));
    },
    join: async function* (workspace, uploadId, parts) {
      for (let number = 1; number <= parts; number++) {
        yield* await read(ask, partKey(workspace, uploadId, number));
      }
    },
    removeParts: async (workspace, uploadId) => {
      for (const key of await keysIn(ask, folderOf(workspace, uploadId))) {
        if (!FILE_KEY.test(key)) await remove(ask, key);
      }
    },
    removeFiles: async (workspace, uploadId) => {
      for (const key of await keysIn(ask, folderOf(workspace, uploadId))) {
        if (FILE_KEY.test(key)) await remove(ask, key);
      }
    },
  };
}

async function send(
  relay: Relay,
  key: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<{ readonly size: number; readonly hash: string }> {
  const hash = createHash("sha256");
  const contentType = "application/octet-stream";
  const size = await relay({ key, contentType, chunks: hashed(chunks, hash) });
  return { size, hash: hash.digest("hex") };
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

async function copy(
  { bucket }: S3Bucket,
  ask: Ask,
  [from, to]: readonly [from: string, to: string],
): Promise<void> {
  const headers = { "x-amz-copy-source": `/${bucket}/${from}` };
  const response = await ask({ method: "PUT", key: to, headers, timeOut: PART_TIME_OUT });
  const text = await readAnswer(response);
  // S3 begins to respond before it has copied, so that a failure may have the status 200.
  if (!response.ok || text.includes("<Error>")) {
    throw unavailable(new Error(`S3 did not copy a part: status ${response.status}`));
  }
}

async function read(ask: Ask, key: string): Promise<ReadableStream<Uint8Array>> {
  const response = await ask({ method: "GET", key, timeOut: PART_TIME_OUT });
  if (response.ok) return response.body ?? new Blob([]).stream();
  await response.body?.cancel();
  throw unavailable(new Error("A part is missing"));
}

async function remove(ask: Ask, key: string): Promise<void> {
  await (await ask({ method: "DELETE", key })).body?.cancel();
}

async function keysIn(ask: Ask, prefix: string): Promise<string[]> {
  const request = async (query: Readonly<Record<string, string>>) =>
    await readAnswer(await ask({ method: "GET", key: "", query }));
  return await Array.fromAsync(listObjects(request, prefix), ({ key }) => key);
}
