/**
 * The header fields of requests and answers, as components that operations refer to.
 *
 * @module
 */
import type { Method } from "../../http/endpoint.ts";
import { createRef, type JsonObject } from "./json.ts";

const TEXT = { type: "string", maxLength: 1024 };
const SECONDS = { type: "integer", format: "int32", minimum: 0, maximum: 86_400 };

/** Components under the very names of the fields, as linters look for these. */
export const HEADERS = {
  "Access-Control-Allow-Origin": {
    description: "The origin that may read this answer, where it is one of the configured ones.",
    schema: TEXT,
  },
  "Cache-Control": { description: "Who may keep this answer (RFC 9111).", schema: TEXT },
  "ETag": {
    description: "Strong entity tag of the answer, for `If-Match` and `If-None-Match` (RFC 9110).",
    schema: TEXT,
  },
  "Idempotency-Replayed": {
    description: "`true` where this is the kept answer to an earlier request of the same key.",
    schema: { type: "string", const: "true" },
  },
  "RateLimit": {
    description: "What is left of the quota, and seconds until it is whole again.",
    schema: TEXT,
  },
  "RateLimit-Policy": { description: "The quota and its window in seconds.", schema: TEXT },
  "Retry-After": { description: "Seconds to wait before the next try.", schema: SECONDS },
  "WWW-Authenticate": {
    description: "How to authenticate, and what the token lacks (RFC 6750, RFC 9728).",
    schema: TEXT,
  },
  "X-Request-Id": { description: "Id of this request, as in the server's log.", schema: TEXT },
} as const;

export type HeaderName = keyof typeof HEADERS;

const EVERY_ANSWER: readonly HeaderName[] = [
  "Access-Control-Allow-Origin",
  "Cache-Control",
  "RateLimit",
  "RateLimit-Policy",
  "X-Request-Id",
];

/** References to the fields that every answer may have, and to these. */
export function answerHeaders(...names: HeaderName[]): JsonObject {
  const all = [...EVERY_ANSWER, ...names].sort();
  return Object.fromEntries(all.map((name) => [name, createRef("headers", name)]));
}

/** Components of the request fields that operations share. */
export const HEADER_PARAMETERS = {
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "Makes a retry safe: the first answer under a key is kept for 24 hours and sent again. The same key with another body is refused with 422.",
    schema: { type: "string", minLength: 1, maxLength: 255 },
  },
  IfMatch: {
    name: "If-Match",
    in: "header",
    description: "Refuses the call with 412 unless the current entity tag is one of these. `*` " +
      "matches anything, and nothing else matches an answer without `ETag` (RFC 9110).",
    schema: TEXT,
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    description: "Answers 304 where the current entity tag is one of these (RFC 9110).",
    schema: TEXT,
  },
  NotionVersion: {
    name: "Notion-Version",
    in: "header",
    description: "Version of the wire format; may be left out.",
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

/** References to the request fields that an operation of this method reads. */
export function headerParameters(method: Method): JsonObject[] {
  return BY_METHOD[method].map((name) => createRef("parameters", name));
}
