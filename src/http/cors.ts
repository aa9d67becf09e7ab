/**
 * Cross-origin access for an exact list of origins (Fetch standard, section 3.3).
 *
 * @module
 */
import type { Fields } from "./response_writer.ts";

const MAX_AGE = "7200";
const REQUEST_FIELDS =
  "authorization, dpop, content-type, if-match, if-none-match, idempotency-key, content-digest, range, notion-version, x-request-id, traceparent";
const RESPONSE_FIELDS =
  "etag, link, accept-ranges, content-disposition, content-range, retry-after, ratelimit, ratelimit-policy, x-request-id, idempotency-replayed, www-authenticate, dpop-nonce";

export interface Cors {
  /** Fields of every response to this origin. */
  fields(origin: string | undefined): Fields;
  /** Additional fields of the response to a preflight. */
  preflightFields(origin: string | undefined, allow: string): Fields;
}

/** Creates the CORS rules; without origins no response has CORS fields. */
export function createCors(origins: readonly string[]): Cors {
  const allowed = new Set(origins);
  const vary: Fields = allowed.size > 0 ? [["vary", "Origin"]] : [];
  return {
    fields(origin) {
      if (origin === undefined || !allowed.has(origin)) return vary;
      return [
        ...vary,
        ["access-control-allow-origin", origin],
        ["access-control-expose-headers", RESPONSE_FIELDS],
      ];
    },
    preflightFields(origin, allow) {
      if (origin === undefined || !allowed.has(origin)) return [];
      return [
        ["access-control-allow-methods", allow],
        ["access-control-allow-headers", REQUEST_FIELDS],
        ["access-control-max-age", MAX_AGE],
      ];
    },
  };
}
