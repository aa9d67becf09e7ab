/**
 * Turns the reply of a handler, or an error, into a `Response`.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { AppError } from "../shared/errors.ts";
import type { ErrorFormat } from "./error_format.ts";
import { MARKDOWN_TYPE } from "./body.ts";
import { chooseEncoded } from "./encoding.ts";
import {
  isConditional,
  isNotModified,
  type Preconditions,
  requireSelected,
} from "./preconditions.ts";
import type { Reply } from "./endpoint.ts";
import {
  copyResponse,
  createCachedResponse,
  createEmptyResponse,
  createResponse,
  type Fields,
  JSON_TYPE,
  type Output,
  PROBLEM_TYPE,
} from "./response_writer.ts";
import { isText } from "../shared/long_text.ts";
import { problemJson } from "./problem.ts";
import { digestOfFields, type FieldPath, redact, tagRedacted } from "./redact.ts";
import { RedactedText, redactText } from "./redact_text.ts";

export interface ReplyContext {
  readonly reply: Reply;
  /** `Accept-Encoding` as sent. */
  readonly acceptEncoding: string | undefined;
  /** Fields to leave out; undefined if the route's schema has none that the policy guards. */
  readonly hidden: readonly FieldPath[] | undefined;
  readonly isGet: boolean;
  /** True if the response depends on `Accept`. */
  readonly varies: boolean;
  /** The method as sent; the response to HEAD is that to GET without the body. */
  readonly method: string;
  readonly conditions: Preconditions;
  /** Fields of every response to this request. */
  readonly fields: Fields;
}

/**
 * Creates the response to a request that succeeded: 200, 206, 302, or 304 if the client's copy is
 * current. Throws `precondition_failed` if a GET expects another representation.
 */
export function createReplyResponse(context: ReplyContext): Response {
  const { isGet, method, conditions } = context;
  const reply = chooseEncoded(context.reply, context.acceptEncoding);
  const hidden = context.hidden?.length ? context.hidden : undefined;
  const cached = reply.constant ? findCached(reply, hidden) : undefined;
  if (cached !== undefined && method === "GET" && !isConditional(conditions)) {
    return copyResponse(cached, context.fields);
  }
  const hashed = reply.etag === "hash" ? serialize(reply, hidden) : undefined;
  const etag = hashed === undefined
    ? reply.etag && tagRedacted(reply.etag, hidden)
    : hashTag(String(hashed));
  const { status = 200, fields: ownFields } = reply;
  // Preconditions apply only if the response without them would be a success (RFC 9110 section
  // 13.2.1).
  if (isGet && status < 300) requireSelected(conditions, etag);
  const fieldsOfReply = replyFields(reply, { etag, varies: context.varies });
  const { contentType = JSON_TYPE, contentSecurityPolicy } = reply;
  if (etag !== undefined && isGet && isNotModified(conditions, etag)) {
    const fields = [...fieldsOfReply, ...context.fields];
    return createEmptyResponse(304, { contentSecurityPolicy, ownFields, fields });
  }
  const body = hashed ?? serialize(reply, hidden);
  const output = { status, contentType, contentSecurityPolicy, ownFields, body };
  if (reply.coding !== undefined) fieldsOfReply.push(["content-encoding", reply.coding]);
  // Copying a response costs less than half of creating one, because Deno validates each field.
  if (reply.constant && cached === undefined) {
    storeRepeated(reply, hidden, () => createCachedResponse({ ...output, fields: fieldsOfReply }));
  }
  return createResponse({ ...output, fields: [...fieldsOfReply, ...context.fields] }, method);
}

/**
 * Responses by the digest of the fields that they lack. A policy hides few sets of fields.
 * Undefined: the reply was sent once.
 */
const cachedResponses = new WeakMap<Reply, Map<string, Response | undefined>>();

function findCached(reply: Reply, hidden: readonly FieldPath[] | undefined): Response | undefined {
  return cachedResponses.get(reply)?.get(hidden === undefined ? "" : digestOfFields(hidden));
}

/** Stores the response from the second time that it is sent, because many are sent once. */
function storeRepeated(
  reply: Reply,
  hidden: readonly FieldPath[] | undefined,
  create: () => Response,
): void {
  const responses = cachedResponses.get(reply) ?? new Map<string, Response | undefined>();
  const digest = hidden === undefined ? "" : digestOfFields(hidden);
  responses.set(digest, responses.has(digest) ? create() : undefined);
  cachedResponses.set(reply, responses);
}

function replyFields(
  reply: Reply,
  { etag, varies }: { readonly etag: string | undefined; readonly varies: boolean },
): [string, string][] {
  const fields: [string, string][] = [
    ["cache-control", reply.cacheControl ?? "private, no-cache"],
  ];
  if (etag !== undefined) fields.push(["etag", etag]);
  if (varies) fields.push(["vary", "Accept"]);
  if (reply.encoded !== undefined) fields.push(["vary", "Accept-Encoding"]);
  if (reply.replayed) fields.push(["idempotency-replayed", "true"]);
  return fields;
}

function serialize(
  { body, contentType }: Reply,
  fields: readonly FieldPath[] | undefined,
): Output["body"] {
  // Markdown has no fields; what looks like them is a text of the page.
  const hidden = contentType?.startsWith(MARKDOWN_TYPE) ? undefined : fields;
  if (body instanceof Uint8Array) return body;
  if (body instanceof ReadableStream) {
    // A stream cannot be redacted, so a route with guarded fields must not reply with one.
    if (hidden !== undefined) {
      throw new Error("A route with guarded fields must not reply with a stream");
    }
    return body;
  }
  if (hidden === undefined || body instanceof RedactedText) {
    return isText(body) ? body : JSON.stringify(body);
  }
  return isText(body) ? redactText(String(body), hidden) : JSON.stringify(redact(body, hidden));
}

function hashTag(body: string | Uint8Array): string {
  return `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"`;
}

export interface ErrorContext {
  readonly requestId: string;
  readonly method: string;
  readonly fields: Fields;
  /** Default: a problem (RFC 9457). */
  readonly format?: ErrorFormat | undefined;
}

/** Creates an error response, which must not be stored. */
export function createErrorResponse(
  error: AppError,
  { requestId, method, fields, format }: ErrorContext,
): Response {
  const formatted = format?.toBody(error, requestId);
  return createResponse({
    status: formatted?.status ?? error.status,
    contentType: formatted === undefined ? PROBLEM_TYPE : JSON_TYPE,
    body: formatted === undefined ? problemJson(error, requestId) : JSON.stringify(formatted),
    fields: [
      ["cache-control", "no-store"],
      ...fields.filter(([name]) => !(name in error.headers)),
      ...Object.entries(error.headers),
    ],
  }, method);
}
