/**
 * From what a handler or a refusal says to the answer that is sent.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { AppError } from "../shared/errors.ts";
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
import { problemJson } from "./problem.ts";
import { type FieldPath, redact, tagRedacted } from "./redact.ts";

export interface ReplyContext {
  readonly reply: Reply;
  /** `Accept-Encoding` as sent. */
  readonly acceptEncoding: string | undefined;
  /** Fields to leave out; undefined where the route's schema holds none that the policy guards. */
  readonly hidden: readonly FieldPath[] | undefined;
  readonly isGet: boolean;
  /** Whether the answer depends on what media types the client takes. */
  readonly varies: boolean;
  /** The method as sent: HEAD is answered as GET, without the body. */
  readonly method: string;
  readonly conditions: Preconditions;
  /** Fields that every answer to this request has. */
  readonly fields: Fields;
}

/**
 * The answer to a request that succeeded: 200, 206, 302, or 304 where the client holds this very one.
 * Throws `precondition_failed` if a GET expects another one.
 */
export function createReplyResponse(answering: ReplyContext): Response {
  const { isGet, method, conditions } = answering;
  const reply = chooseEncoded(answering.reply, answering.acceptEncoding);
  const hidden = answering.hidden?.length ? answering.hidden : undefined;
  // An answer may have been kept before a policy hid a part of it.
  const known = hidden === undefined ? kept.get(reply) : undefined;
  if (known !== undefined && method === "GET" && !isConditional(conditions)) {
    return copyResponse(known, answering.fields);
  }
  const hashed = reply.etag === "hash" ? serialize(reply.body, hidden) : undefined;
  const etag = hashed === undefined
    ? reply.etag && tagRedacted(reply.etag, hidden)
    : hashTag(String(hashed));
  const { status = 200, fields: ownOnly } = reply;
  // Conditions count only if the answer without them would be a success (RFC 9110 section 13.2.1).
  if (isGet && status < 300) requireSelected(conditions, etag);
  const own = ownFields(reply, { etag, varies: answering.varies });
  const { contentType = JSON_TYPE, contentSecurityPolicy } = reply;
  if (etag !== undefined && isGet && isNotModified(conditions, etag)) {
    const fields = [...own, ...answering.fields];
    return createEmptyResponse(304, { contentSecurityPolicy, own: ownOnly, fields });
  }
  const body = hashed ?? serialize(reply.body, hidden);
  const output = { status, contentType, contentSecurityPolicy, own: ownOnly, body };
  if (reply.coding !== undefined) own.push(["content-encoding", reply.coding]);
  // Copying an answer costs half of making one: Deno checks each field that it is given.
  if (reply.constant && known === undefined && hidden === undefined) {
    kept.set(reply, createCachedResponse({ ...output, fields: own }));
  }
  return createResponse({ ...output, fields: [...own, ...answering.fields] }, method);
}

const kept = new WeakMap<Reply, Response>();

function ownFields(
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
  body: Reply["body"],
  hidden: readonly FieldPath[] | undefined,
): Output["body"] {
  if (body instanceof Uint8Array) return body;
  if (body instanceof ReadableStream) {
    // What goes out in parts cannot be redacted: a route whose schema can hold a guarded field sends none.
    if (hidden !== undefined) throw new Error("A stream on a route with guarded fields");
    return body;
  }
  if (hidden === undefined) return typeof body === "string" ? body : JSON.stringify(body);
  // Only a policy that guards a field of this route has ready JSON parsed.
  return JSON.stringify(redact(typeof body === "string" ? JSON.parse(body) : body, hidden));
}

function hashTag(body: string | Uint8Array): string {
  return `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"`;
}

export interface ErrorContext {
  readonly requestId: string;
  readonly method: string;
  readonly fields: Fields;
}

/** The answer to a request that was refused: a problem, which nobody may store. */
export function createErrorResponse(
  error: AppError,
  { requestId, method, fields }: ErrorContext,
): Response {
  return createResponse({
    status: error.status,
    contentType: PROBLEM_TYPE,
    body: problemJson(error, requestId),
    fields: [
      ["cache-control", "no-store"],
      ...fields.filter(([name]) => !(name in error.headers)),
      ...Object.entries(error.headers),
    ],
  }, method);
}
