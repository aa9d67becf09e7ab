/**
 * Creates every `Response`, with the security fields that all of them have.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { evenPieces, isText, LongText, piecesOf, type Text } from "../shared/long_text.ts";
import type { SentBody } from "./unread_answers.ts";
import { endOfPiece } from "../shared/text_pieces.ts";

/** Header fields in the order they are sent, names in lower case. */
export type Fields = readonly (readonly [name: string, value: string])[];

const CSP = "content-security-policy";

/** Part of every policy, because `default-src` governs neither (CSP Level 3). */
const NO_BASE_NO_FORMS = "base-uri 'none'; form-action 'none'";

const SECURITY: Fields = [
  ["x-content-type-options", "nosniff"],
  [CSP, withoutForms("default-src 'none'; frame-ancestors 'none'")],
  ["referrer-policy", "no-referrer"],
  ["cross-origin-resource-policy", "same-origin"],
];

const encoder = new TextEncoder();

/** Deno ends the process instead of sending another character in a field. */
const UNSENDABLE = /[^\t\x20-\x7e\x80-\xff]/g;

/** Removes the characters that no field may have (RFC 9110 section 5.5). */
function sendable(value: string): string {
  return value.replace(UNSENDABLE, "");
}

export const JSON_TYPE = "application/json";
export const PROBLEM_TYPE = "application/problem+json";

/** The header fields of a response, and overrides of the security fields. */
export interface ResponseFields {
  readonly fields: Fields;
  /** Replaces the default policy, which lets a page load nothing. */
  readonly contentSecurityPolicy?: string | undefined;
  /** Replace fields of the same name. */
  readonly ownFields?: Readonly<Record<string, string>> | undefined;
}

export interface Output extends ResponseFields {
  readonly status: number;
  readonly contentType: string;
  /** A stream is sent without `Content-Length`. */
  readonly body: Text | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
}

/** Longer bodies are sent in pieces, so that the server knows when the client has received them. */
const LONGEST_WHOLE_BODY = 262_144;

const streamedResponses = new WeakSet<Response>();
const sentBodies = new WeakMap<ReadableStream, SentBody>();

/**
 * Returns whether the body is streamed, so that the server knows when the client has received it.
 */
export function isStreamed(response: Response): boolean {
  return streamedResponses.has(response);
}

/** Returns the body of a response that is sent piece by piece and waits in memory meanwhile. */
export function sentBodyOf({ body }: Response): SentBody | undefined {
  return body === null ? undefined : sentBodies.get(body);
}

/** Creates a response; for HEAD the same one without its body (RFC 9110 section 9.3.2). */
export function createResponse(output: Output, method: string): Response {
  const { status, contentType, body } = output;
  const response = method === "HEAD"
    ? bodiless(status, contentType, body)
    : whole(status, contentType, body);
  return withFields(response, output);
}

function whole(status: number, contentType: string, body: Output["body"]): Response {
  const headers: Record<string, string> = { "content-type": sendable(contentType) };
  const isStream = body instanceof ReadableStream;
  if (!isStream && body.length <= LONGEST_WHOLE_BODY) {
    return new Response(body instanceof LongText ? String(body) : body, { status, headers });
  }
  const length = lengthOf(body);
  if (length !== undefined) headers["content-length"] = String(length);
  const response = new Response(isStream ? body : inPieces(body), { status, headers });
  streamedResponses.add(response);
  return response;
}

/** Sends a text or bytes piece by piece; to encode a long text at once would take too long. */
function inPieces(body: Text | Uint8Array): ReadableStream<Uint8Array> {
  const pieces = body instanceof LongText ? evenPieces(body.pieces) : piecesOfWhole(body);
  return streamOf(pieces, body.length);
}

function* piecesOfWhole(body: string | Uint8Array): Generator<string | Uint8Array> {
  for (let start = 0; start < body.length;) {
    const end = start + LONGEST_WHOLE_BODY;
    const stop = typeof body === "string" ? endOfPiece(body, end) : end;
    yield typeof body === "string" ? body.slice(start, stop) : body.subarray(start, stop);
    start = stop;
  }
}

/** Creates a response to cache and copy; its text is encoded once, not for each copy. */
export function createCachedResponse(output: Output): Response {
  const { body } = output;
  const bytes = isText(body) ? encoder.encode(String(body)) : body;
  const headers = { "content-type": sendable(output.contentType) };
  return withFields(new Response(bytes, { status: output.status, headers }), output);
}

/** Copies a cached response and adds the fields of this request. */
export function copyResponse(cached: Response, fields: Fields): Response {
  const response = cached.clone();
  const { headers } = response;
  for (const [name, value] of fields) headers.append(name, sendable(value));
  return response;
}

/**
 * Creates a response without a body. Browsers replace their cached fields by those of a 304, so a
 * 304 needs the same fields as the 200.
 */
export function createEmptyResponse(status: 204 | 304, output: ResponseFields): Response {
  return withFields(new Response(null, { status }), output);
}

function bodiless(status: number, contentType: string, body: Output["body"]): Response {
  if (body instanceof ReadableStream) body.cancel().catch(() => {});
  const length = lengthOf(body);
  return new Response(null, {
    status,
    headers: {
      "content-type": sendable(contentType),
      ...(length !== undefined && { "content-length": String(length) }),
    },
  });
}

/** Parts of a body, which may be made as the client receives them. */
type Parts = AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;

/**
 * Returns a body that is generated part by part, as the client receives it. Meanwhile it holds
 * `length` bytes or UTF-16 code units in memory.
 */
export function streamOf(parts: Parts, length: number): ReadableStream<Uint8Array> {
  let iterator: AsyncIterator<string | Uint8Array> | Iterator<string | Uint8Array> | undefined =
    Symbol.asyncIterator in parts ? parts[Symbol.asyncIterator]() : parts[Symbol.iterator]();
  let lastRead = performance.now();
  // The client waits for us then, however long the part takes.
  let isMaking = false;
  let fail = (_: Error) => {};
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      fail = (error) => controller.error(error);
    },
    async pull(controller) {
      isMaking = true;
      const next = await iterator?.next();
      isMaking = false;
      lastRead = performance.now();
      if (next === undefined) return;
      if (next.done === true) return controller.close();
      const { value } = next;
      controller.enqueue(typeof value === "string" ? encoder.encode(value) : value);
    },
  }, { highWaterMark: 0 });
  sentBodies.set(stream, {
    length,
    get lastRead() {
      return isMaking ? performance.now() : lastRead;
    },
    breakOff: () => {
      iterator = undefined;
      fail(new Error("The answer was not read"));
    },
  });
  return stream;
}

function withFields(
  response: Response,
  { fields, contentSecurityPolicy, ownFields }: ResponseFields,
): Response {
  const { headers } = response;
  for (const [name, value] of SECURITY) headers.append(name, value);
  for (const [name, value] of fields) headers.append(name, sendable(value));
  if (contentSecurityPolicy !== undefined) headers.set(CSP, withoutForms(contentSecurityPolicy));
  for (const name in ownFields) headers.set(name, sendable(ownFields[name] ?? ""));
  return response;
}

function withoutForms(policy: string): string {
  return `${policy}; ${NO_BASE_NO_FORMS}`;
}

/** Returns the length of a body in bytes; undefined for a stream. */
function lengthOf(body: Output["body"]): number | undefined {
  if (body instanceof ReadableStream) return undefined;
  if (body instanceof Uint8Array) return body.length;
  return piecesOf(body).reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
}
