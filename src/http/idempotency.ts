/**
 * The `Idempotency-Key` field (draft-ietf-httpapi-idempotency-key-header).
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { Principal } from "../auth/principal.ts";
import { AppError } from "../shared/errors.ts";
import { isOfType, LINES_TYPE } from "./body.ts";
import type { IdempotencyKey } from "./endpoint.ts";
import { LIMITS, type ParsedRequest } from "./request.ts";

// A structured-field string, or the bare token that most clients send.
const KEY = /^(?:"([\x20\x21\x23-\x5b\x5d-\x7e]+)"|([A-Za-z0-9_.:-]+))$/;

/** Reads the key of a POST or PATCH, scoped to caller and target; undefined if none was sent. */
export function readIdempotencyKey(
  parsed: ParsedRequest,
  request: { readonly caller: Principal; readonly body: Uint8Array },
): IdempotencyKey | undefined {
  const { method, path, query, headers } = parsed;
  const value = headers.get("idempotency-key");
  if (value === undefined || (method !== "POST" && method !== "PATCH")) return undefined;
  const match = KEY.exec(value);
  if (match === null || value.length > LIMITS.idempotencyKeyLength) {
    throw new AppError("invalid_request", "Idempotency-Key is malformed or too long");
  }
  const { workspace, userId } = request.caller;
  const scope = JSON.stringify([workspace, userId, method, path, match[1] ?? match[2]]);
  // One line is the same bytes as a body of JSON, and its reply has another form.
  const form = isOfType(parsed, LINES_TYPE) ? LINES_TYPE : "";
  return { key: sha256(scope), fingerprint: sha256(query, form, request.body) };
}

function sha256(...data: (string | Uint8Array)[]): string {
  const hash = createHash("sha256");
  for (const one of data) hash.update(one);
  return hash.digest("base64url");
}
