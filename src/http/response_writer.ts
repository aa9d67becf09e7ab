/**
 * Writes answers: the one place that makes a `Response`.
 *
 * @module
 */

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

export const JSON_TYPE = "application/json";
export const PROBLEM_TYPE = "application/problem+json";

/** The fields of an answer, and what it has in place of those that guard every one. */
export interface Guarded {
  readonly fields: Fields;
  /** In place of the one that lets nothing be loaded. */
  readonly contentSecurityPolicy?: string | undefined;
  /** In place of those that every answer has. */
  readonly own?: Readonly<Record<string, string>> | undefined;
}

export interface Output extends Guarded {
  readonly status: number;
  readonly contentType: string;
  /** A stream goes out in chunks of a length that nobody tells beforehand. */
  readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
}

/** Bytes beyond which a body is sent piece by piece, so that it is known when its client has it. */
const LONG = 262_144;

const inStreams = new WeakSet<Response>();

/** Whether the server can tell when a client has taken the answer: its body goes out as a stream. */
export function isStreamed(response: Response): boolean {
  return inStreams.has(response);
}

/** A whole answer; for HEAD the same one without its body (RFC 9110 section 9.3.2). */
export function createResponse(output: Output, method: string): Response {
  const { status, contentType, body } = output;
  const response = method === "HEAD"
    ? bodiless(status, contentType, body)
    : whole(status, contentType, body);
  return withFields(response, output);
}

function whole(status: number, contentType: string, body: Output["body"]): Response {
  const headers: Record<string, string> = { "content-type": contentType };
  const isStream = body instanceof ReadableStream;
  if (!isStream && body.length <= LONG) return new Response(body, { status, headers });
  const bytes = typeof body === "string" ? encoder.encode(body) : body;
  if (bytes instanceof Uint8Array) headers["content-length"] = String(bytes.length);
  const stream = bytes instanceof Uint8Array ? inPieces(bytes) : bytes;
  const response = new Response(stream, { status, headers });
  inStreams.add(response);
  return response;
}

function inPieces(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(bytes.subarray(sent, sent += LONG));
      if (sent >= bytes.length) controller.close();
    },
  }, { highWaterMark: 0 });
}

/** An answer to be kept and copied: its text is turned into bytes once, and not for each copy. */
export function createCachedResponse(output: Output): Response {
  const { body } = output;
  const bytes = typeof body === "string" ? encoder.encode(body) : body;
  const headers = { "content-type": output.contentType };
  return withFields(new Response(bytes, { status: output.status, headers }), output);
}

/** An answer made from one that was kept: its clone, with the fields of this request. */
export function copyResponse(kept: Response, fields: Fields): Response {
  const response = kept.clone();
  const { headers } = response;
  for (const [name, value] of fields) headers.append(name, value);
  return response;
}

/**
 * An answer without a body: 204, 304. Browsers put the fields of a 304 in place of those that they
 * keep, so it has the ones of the answer that it stands for.
 */
export function createEmptyResponse(status: 204 | 304, output: Guarded): Response {
  return withFields(new Response(null, { status }), output);
}

function bodiless(status: number, contentType: string, body: Output["body"]): Response {
  if (body instanceof ReadableStream) body.cancel().catch(() => {});
  const length = lengthOf(body);
  return new Response(null, {
    status,
    headers: {
      "content-type": contentType,
      ...(length !== undefined && { "content-length": String(length) }),
    },
  });
}

/** Text as a body that is made part by part, each when the client has taken the one before. */
export function streamOf(parts: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const iterator = parts[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  }, { highWaterMark: 0 });
}

// Appending is a third cheaper than handing the constructor all fields, which has Deno build the
// answer natively and register it for finalization.
function withFields(
  response: Response,
  { fields, contentSecurityPolicy, own }: Guarded,
): Response {
  const { headers } = response;
  for (const [name, value] of SECURITY) headers.append(name, value);
  for (const [name, value] of fields) headers.append(name, value);
  if (contentSecurityPolicy !== undefined) headers.set(CSP, withoutForms(contentSecurityPolicy));
  for (const name in own) headers.set(name, own[name] ?? "");
  return response;
}

function withoutForms(policy: string): string {
  return `${policy}; ${NO_BASE_NO_FORMS}`;
}

/** Bytes of a body; undefined of a stream, whose length nobody tells beforehand. */
function lengthOf(body: Output["body"]): number | undefined {
  if (body instanceof ReadableStream) return undefined;
  return typeof body === "string" ? encoder.encode(body).length : body.length;
}
