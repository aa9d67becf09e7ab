/**
 * Lists, reads and deletes the objects of a bucket.
 *
 * @module
 */
import { type BucketObject, elementOf, listObjects as listIn } from "../../files/s3/list.ts";
import { OperatorError } from "../../store/operator_error.ts";
import { presign, type PresignOptions, type S3Bucket } from "../../files/s3/presign.ts";

/** Seconds for which a request is valid. */
const VALIDITY = 900;
/** Milliseconds in which a response must begin. */
const TIME_OUT = 30_000;

/** Returns the objects whose keys begin with `prefix`, by key. */
export function listObjects(bucket: S3Bucket, prefix: string): AsyncGenerator<BucketObject> {
  const request = async (query: Readonly<Record<string, string>>) =>
    await (await send(bucket, "GET", "", query)).text();
  return listIn(request, prefix);
}

/** Reads an object; undefined if there is none. */
export async function readObject(
  bucket: S3Bucket,
  key: string,
): Promise<ReadableStream<Uint8Array> | undefined> {
  const response = await send(bucket, "GET", key, {}, [404]);
  if (response.ok) return response.body ?? new Blob([]).stream();
  await response.body?.cancel();
  return undefined;
}

/** Returns the size of an object; undefined if there is none. */
export async function objectSize(bucket: S3Bucket, key: string): Promise<number | undefined> {
  const response = await send(bucket, "HEAD", key, {}, [404]);
  await response.body?.cancel();
  return response.ok ? Number(response.headers.get("content-length")) : undefined;
}

/** Deletes an object. */
export async function deleteObject(bucket: S3Bucket, key: string): Promise<void> {
  await (await send(bucket, "DELETE", key)).body?.cancel();
}

async function send(
  bucket: S3Bucket,
  method: PresignOptions["method"],
  key: string,
  query: Readonly<Record<string, string>> = {},
  expected: readonly number[] = [],
): Promise<Response> {
  const url = await presign(bucket, { method, key, query, from: Date.now(), seconds: VALIDITY });
  const response = await fetchOnce(bucket, url, method);
  if (response.ok || expected.includes(response.status)) return response;
  const code = elementOf(await response.text(), "Code");
  throw new OperatorError(
    `Bucket ${bucket.bucket} answered ${method} ${key} with status ${response.status}` +
      (code === undefined ? "" : ` (${code})`),
  );
}

async function fetchOnce(bucket: S3Bucket, url: string, method: string): Promise<Response> {
  const started = new AbortController();
  const timer = setTimeout(() => started.abort(), TIME_OUT);
  try {
    return await fetch(url, { method, redirect: "manual", signal: started.signal });
  } catch {
    // The message of `fetch` contains the URL with its signature.
    throw new OperatorError(`Bucket ${bucket.bucket} cannot be reached at ${bucket.endpoint}`);
  } finally {
    clearTimeout(timer);
  }
}
