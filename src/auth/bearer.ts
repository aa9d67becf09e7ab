/**
 * The `Authorization` header and the `WWW-Authenticate` challenge (RFC 6750, RFC 9728).
 *
 * @module
 */
import { AppError } from "../shared/errors.ts";
import { InvalidToken, TOKEN_HINTS } from "./token_errors.ts";

const MAX_TOKEN_LENGTH = 8 * 1024;
const BEARER_SCHEME = /^bearer(?: +|$)/i;
const SECOND_CREDENTIALS = /,\s*bearer\b/i;
const TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;

/** Optional parameters of a challenge. */
export interface ChallengeOptions {
  readonly error?: "invalid_request" | "invalid_token" | "insufficient_scope";
  readonly description?: string;
  /** The required scopes, separated by spaces. */
  readonly scope?: string;
}

/**
 * Returns the value of `WWW-Authenticate` for the service at `publicUrl`.
 *
 * Characters that a quoted string cannot contain are removed.
 */
export function challenge(publicUrl: string, options: ChallengeOptions = {}): string {
  const metadata = `${publicUrl.replace(/\/$/, "")}/.well-known/oauth-protected-resource`;
  const parameters: readonly (readonly [string, string | undefined])[] = [
    ["realm", "recto"],
    ["resource_metadata", metadata],
    ["error", options.error],
    ["error_description", options.description],
    ["scope", options.scope],
  ];
  const written = parameters.flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}="${quotable(value)}"`]
  );
  return `Bearer ${written.join(", ")}`;
}

function quotable(value: string): string {
  return value.replace(/[^\x20-\x7e]|["\\]/g, "");
}

/**
 * Returns the token of an `Authorization` value.
 *
 * Throws `unauthorized` if there is no bearer token or it is longer than 8 KiB, and
 * `invalid_request` if the header is malformed or was sent twice.
 */
export function readBearer(authorization: string | null, publicUrl: string): string {
  const value = authorization?.trim() ?? "";
  const scheme = BEARER_SCHEME.exec(value);
  if (scheme === null) {
    throw SECOND_CREDENTIALS.test(value) ? malformed(publicUrl) : missing(publicUrl);
  }
  const token = value.slice(scheme[0].length);
  if (token.length > MAX_TOKEN_LENGTH) {
    throw invalidToken(publicUrl, new InvalidToken("The token is longer than 8 KiB"));
  }
  if (!TOKEN.test(token)) throw malformed(publicUrl);
  return token;
}

/** Returns the error for an invalid token: the caller gets the sentence of its hint, the log its reason. */
export function invalidToken(publicUrl: string, cause: InvalidToken): AppError {
  const description = TOKEN_HINTS[cause.hint];
  return new AppError("unauthorized", description, {
    headers: {
      "WWW-Authenticate": challenge(publicUrl, { error: "invalid_token", description }),
    },
    cause,
    reason: cause.message,
  });
}

function missing(publicUrl: string): AppError {
  // RFC 6750 section 3.1: a challenge to a request without credentials has no error code.
  return new AppError("unauthorized", "Send an access token: Authorization: Bearer <token>.", {
    headers: { "WWW-Authenticate": challenge(publicUrl) },
  });
}

function malformed(publicUrl: string): AppError {
  const description = "The Authorization header must contain exactly one bearer token.";
  return new AppError("invalid_request", description, {
    headers: {
      "WWW-Authenticate": challenge(publicUrl, { error: "invalid_request", description }),
    },
  });
}
