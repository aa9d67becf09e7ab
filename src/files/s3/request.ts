/**
 * Requests of the service itself to an S3-compatible store.
 *
 * @module
 */
import { readBoundedText } from "../../shared/bounded_body.ts";
import { AppError } from "../../shared/errors.ts";
import { presign, type PresignOptions, type S3Bucket } from "./presign.ts";

/** Milliseconds for a request. */
const TIME_OUT = 5_000;
/** Bytes of an answer: a list has 1,000 objects at most. */
const ANSWER_BYTES = 4_194_304;
/** Tolerated clock difference to S3, in milliseconds. */
const CLOCK_TOLERANCE = 30 * 60 * 1_000;
/** Milliseconds; S3 accepts signatures for a week at most. */
const MAX_VALIDITY = 7 * 24 * 60 * 60 * 1_000;

export interface S3Request extends Pick<PresignOptions, "method" | "key" | "query" | "headers"> {
  readonly body?: BodyInit;
  readonly now: number;
  /** Milliseconds until all of the response must be read; default: a few seconds. */
  readonly timeOut?: number;
}

/**
 * Sends a request; resolves to a response with status 404 or a successful one, whose body the caller
 * reads. Throws `service_unavailable` otherwise.
 */
export async function sendRequest(
  bucket: S3Bucket,
  { body, now, timeOut = TIME_OUT, ...request }: S3Request,
): Promise<Response> {
  const { method, headers = {} } = request;
  const url = await presign(bucket, {
    ...request,
    ...validityBetween(now, now + CLOCK_TOLERANCE),
  });
  try {
    const signal = AbortSignal.timeout(timeOut);
    const response = await fetch(url, {
      method,
      headers,
      redirect: "manual",
      signal,
      ...(body !== undefined && { body }),
    });
    if (response.ok || response.status === 404) return response;
    await response.body?.cancel();
    throw new Error(`S3 responded with status ${response.status}`);
  } catch (cause) {
    throw unavailable(cause);
  }
}

/** Returns the text of a response; throws `service_unavailable` if it breaks off or is too long. */
export async function readAnswer({ body }: Response): Promise<string> {
  try {
    return await readBoundedText(body, ANSWER_BYTES);
  } catch (cause) {
    throw unavailable(cause);
  }
}

/** Starts earlier by the tolerated clock difference, as S3's clock may be behind ours. */
export function validityBetween(
  start: number,
  end: number,
): Pick<PresignOptions, "from" | "seconds"> {
  const from = Math.max(start - CLOCK_TOLERANCE, end - MAX_VALIDITY);
  return { from, seconds: (end - from) / 1_000 };
}

/** Returns the error for a store that does not answer as it should. */
export function unavailable(cause: unknown): AppError {
  return new AppError("service_unavailable", "File storage is unreachable: try again", {
    // The error message of `fetch` contains the URL with its signature.
    cause: cause instanceof Error ? new Error(withoutQueries(cause.message)) : undefined,
    headers: { "retry-after": "5" },
  });
}

function withoutQueries(message: string): string {
  return message.replaceAll(/\?[^\s)'"]*/g, "?…");
}
