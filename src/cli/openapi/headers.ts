/**
 * The header fields of requests and responses, as components that operations refer to.
 *
 * @module
 */
import type { Method } from "../../http/endpoint.ts";
import { createRef, type JsonObject } from "./json.ts";

const TEXT = { type: "string", maxLength: 1024 };
const SECONDS = { type: "integer", format: "int32", minimum: 0, maximum: 86_400 };

/** Components by the name of the field, which linters look for. */
export const HEADERS = {
  "Access-Control-Allow-Origin": {
    description:
      "The origin that may read this response, if the service is configured to allow it.",
    schema: TEXT,
  },
  "Cache-Control": { description: "Who may cache this response (RFC 9111).", schema: TEXT },
  "DPoP-Nonce": {
    description: "The nonce for your next DPoP proof, if you should use another (RFC 9449).",
    schema: TEXT,
  },
  "ETag": {
    description:
      "Strong entity tag of the response, for `If-Match` and `If-None-Match` (RFC 9110).",
    schema: TEXT,
  },
  "Idempotency-Replayed": {
    description:
      "`true` if this is the stored response to an earlier request with the same `Idempotency-Key`.",
    schema: { type: "string", const: "true" },
  },
  "RateLimit": {
    description: "Remaining requests of the quota, and seconds until it is full again.",
    schema: TEXT,
  },
  "RateLimit-Policy": {
    description: "The quota of requests, and its window in seconds.",
    schema: TEXT,
  },
  "Retry-After": { description: "Seconds to wait before you try again.", schema: SECONDS },
  "WWW-Authenticate": {
    description:
      "How to authenticate, and why the token was rejected (RFC 6750, RFC 9449, RFC 9728).",
    schema: TEXT,
  },
  "X-Request-Id": { description: "ID of the request, as in the log of the server.", schema: TEXT },
} as const;

export type HeaderName = keyof typeof HEADERS;

const EVERY_RESPONSE: readonly HeaderName[] = [
  "Access-Control-Allow-Origin",
  "Cache-Control",
  "DPoP-Nonce",
  "RateLimit",
  "RateLimit-Policy",
  "X-Request-Id",
];

/** References to the fields that every response may have, and to `names`. */
export function responseHeaders(...names: HeaderName[]): JsonObject {
  const all = [...EVERY_RESPONSE, ...names].sort();
  return Object.fromEntries(all.map((name) => [name, createRef("headers", name)]));
}

/** Header fields of requests, as components. */
export const HEADER_PARAMETERS = {
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "Makes it safe to retry the request: the first response under a key is stored for 24 hours and sent again; in place of one of more than 65,536 characters with a page, block or database, its current state is sent. The same key with another body is an error (422).",
    schema: { type: "string", minLength: 1, maxLength: 255 },
  },
  IfMatch: {
    name: "If-Match",
    in: "header",
    description: "Fails with 412 unless the current entity tag is one of these. `*` matches " +
      "anything. Nothing else matches a response without `ETag` (RFC 9110).",
    schema: TEXT,
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    description: "Responds with 304 if the current entity tag is one of these (RFC 9110).",
    schema: TEXT,
  },
  NotionVersion: {
    name: "Notion-Version",
    in: "header",
    description: "Version of the wire format. Optional.",
    schema: { type: "string", const: "2022-06-28" },
  },
} as const;

type HeaderParameter = keyof typeof HEADER_PARAMETERS;

const BY_METHOD: Readonly<Record<Method, readonly HeaderParameter[]>> = {
  GET: ["IfMatch", "IfNoneMatch", "NotionVersion"],
  POST: ["IdempotencyKey", "NotionVersion"],
  PUT: [],
  PATCH: ["IdempotencyKey", "IfMatch", "NotionVersion"],
  DELETE: ["IfMatch", "NotionVersion"],
};

/** References to the header fields that an operation of this method reads. */
export function headerParameters(method: Method): JsonObject[] {
  return BY_METHOD[method].map((name) => createRef("parameters", name));
}
