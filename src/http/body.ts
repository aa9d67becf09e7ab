/**
 * Reads and parses a JSON body, within limits of size and time.
 *
 * @module
 */
import { AppError } from "../shared/errors.ts";
import { lazy } from "../shared/lazy.ts";
import { yieldToEventLoop } from "../shared/yield_to_event_loop.ts";
import { parseJson, parseLargeJson } from "./json.ts";
import { type HttpRequest, LIMITS, type ParsedRequest } from "./request.ts";

/** A text body, which an endpoint may take in place of JSON (RFC 7763). */
export const MARKDOWN_TYPE = "text/markdown";
const MARKDOWN_BODY = /^text\/markdown(?: *; *(?:charset=(?:utf-8|"utf-8")|variant=[\w-]+))*$/i;

export type BodyLimits = Pick<{ [K in keyof typeof LIMITS]: number }, "bodyBytes" | "bodyTime">;

const JSON_TYPE = /^application\/json(?: *; *charset=(?:utf-8|"utf-8"))?$/i;
const MERGE_PATCH_TYPE = /^application\/merge-patch\+json(?: *; *charset=(?:utf-8|"utf-8"))?$/i;
const EMPTY = new Uint8Array();
/** The unread rest of a body would be in the way of the next request. */
export const CLOSING = { headers: { connection: "close" } };

/** What an endpoint takes. */
export interface BodyOptions {
  readonly limits: BodyLimits;
  /** Whether it takes Markdown besides JSON. */
  readonly takesMarkdown: boolean;
}

/**
 * Reads the bytes of a JSON body, or of Markdown; empty if the client sent none.
 *
 * Throws for another media type or coding (415, 501), an unknown expectation (417), and a body that
 * is too large (413), breaks off (400) or does not arrive in time (400).
 */
export async function readBody(
  request: HttpRequest,
  parsed: ParsedRequest,
  { limits, takesMarkdown }: BodyOptions,
): Promise<Uint8Array> {
  checkHeaders(parsed, { limits, takesMarkdown });
  const bytes = request.body === null ? EMPTY : await collect(request.body, limits);
  if (bytes.length > 0 && !parsed.headers.has("content-type")) {
    throw unsupportedType(parsed.method, takesMarkdown);
  }
  return bytes;
}

function checkHeaders(parsed: ParsedRequest, { limits, takesMarkdown }: BodyOptions): void {
  const { method, headers } = parsed;
  const type = headers.get("content-type");
  const isTaken = type === undefined || isJson(type, method) ||
    (takesMarkdown && isMarkdown(parsed));
  if (!isTaken) throw unsupportedType(method, takesMarkdown);
  checkFraming(parsed);
  if (Number(headers.get("content-length") ?? 0) > limits.bodyBytes) {
    throw tooLarge(limits.bodyBytes);
  }
}

/** Throws for a content or transfer coding (415, 501) and an unknown expectation (417). */
export function checkFraming({ headers }: ParsedRequest): void {
  const coding = headers.get("content-encoding");
  if (coding !== undefined && coding.toLowerCase() !== "identity") {
    throw new AppError("unsupported_media_type", `Content-Encoding is not supported: ${coding}`, {
      headers: { "accept-encoding": "identity" },
    });
  }
  // Deno decodes chunks, but no other transfer coding.
  const transfer = headers.get("transfer-encoding");
  if (transfer !== undefined && transfer.toLowerCase() !== "chunked") {
    throw new AppError("not_implemented", `Transfer-Encoding is not supported: ${transfer}`);
  }
  const expect = headers.get("expect");
  if (expect !== undefined && expect.toLowerCase() !== "100-continue") {
    throw new AppError("expectation_failed", `Expectation is not supported: ${expect}`);
  }
}

function isJson(type: string, method: string): boolean {
  return JSON_TYPE.test(type) || (method === "PATCH" && MERGE_PATCH_TYPE.test(type));
}

/** Returns whether a body is Markdown. */
export function isMarkdown({ headers }: ParsedRequest): boolean {
  return MARKDOWN_BODY.test(headers.get("content-type") ?? "");
}

function unsupportedType(method: string, takesMarkdown: boolean): AppError {
  const json = method === "PATCH"
    ? "application/json, application/merge-patch+json"
    : "application/json";
  const accept = takesMarkdown ? `${json}, ${MARKDOWN_TYPE}` : json;
  const types = takesMarkdown ? `application/json or ${MARKDOWN_TYPE}` : "application/json";
  return new AppError("unsupported_media_type", `Body must be ${types} in UTF-8`, {
    headers: { [method === "PATCH" ? "accept-patch" : "accept-post"]: accept },
  });
}

/** Returns the text of a Markdown body. Throws if it is not UTF-8. */
export function readText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new AppError("invalid_request", "Body is not UTF-8", { cause: error });
  }
}

/** Returns the error for a body of more than this many bytes. */
export function tooLarge(bytes: number): AppError {
  return new AppError("payload_too_large", `Body is larger than ${bytes} bytes`, CLOSING);
}

async function collect(
  body: ReadableStream<Uint8Array>,
  limits: BodyLimits,
): Promise<Uint8Array> {
  const reader = body.getReader();
  let late: AppError | undefined;
  const timer = setTimeout(() => {
    late = new AppError("invalid_request", "Body did not arrive in time", CLOSING);
    reader.cancel(late).catch(() => {});
  }, limits.bodyTime);
  try {
    const chunks = await readChunks(reader, limits);
    // A cancelled stream looks like one that ended.
    if (late !== undefined) throw late;
    return concat(chunks);
  } catch (error) {
    reader.cancel(error).catch(() => {});
    if (error instanceof AppError) throw error;
    throw new AppError("invalid_request", "Body broke off", { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

async function readChunks(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  limits: BodyLimits,
): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return chunks;
    size += value.length;
    if (size > limits.bodyBytes) throw tooLarge(limits.bodyBytes);
    chunks.push(value);
  }
}

function concat(chunks: readonly Uint8Array[]): Uint8Array {
  const [first] = chunks;
  if (first !== undefined && chunks.length === 1) return first;
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

export interface ParsedBody {
  readonly bytes: Uint8Array;
  readonly isLarge: boolean;
  /** Returns the parsed JSON, `{}` for an empty body; throws if it is malformed. */
  readonly json: () => unknown;
}

/** Prepares a body for parsing; a large one is parsed now, and other requests run after it. */
export function parseBody(bytes: Uint8Array): ParsedBody | Promise<ParsedBody> {
  if (bytes.length > LIMITS.explainedBytes) return parseLargeBody(bytes);
  const json = lazy(() => bytes.length === 0 ? {} : parseJson(bytes));
  return { bytes, isLarge: false, json };
}

async function parseLargeBody(bytes: Uint8Array): Promise<ParsedBody> {
  const parsed = await Promise.allSettled([parseLargeJson(bytes)]);
  await yieldToEventLoop();
  return { bytes, isLarge: true, json: () => valueOf(parsed[0]) };
}

/** Throws the error of malformed JSON only when it is asked for: other errors take precedence. */
function valueOf(parsed: PromiseSettledResult<unknown>): unknown {
  if (parsed.status === "rejected") throw parsed.reason;
  return parsed.value;
}
