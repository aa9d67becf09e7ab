/**
 * Errors of token verification.
 *
 * @module
 */
import { AppError } from "../shared/errors.ts";

/**
 * The texts about invalid tokens that callers get (RFC 6750 section 3.1), by hint. Nothing here
 * helps an attacker: issuer, audience and keys are published, and a caller can read the times in
 * their own token.
 */
export const TOKEN_HINTS = {
  invalid: "The access token is invalid or has expired.",
  expired: "The access token has expired. Request a new one.",
  not_yet_valid: "The access token is not valid yet. Check the clock of its issuer.",
  wrong_audience:
    "The access token is meant for another audience. Request one for the resource in the metadata.",
  unknown_issuer:
    "The access token comes from an unknown issuer. The metadata lists the issuers that this server accepts.",
  unknown_key: "The access token is signed with a key that its issuer does not publish.",
} as const;

export type TokenHint = keyof typeof TOKEN_HINTS;

export interface InvalidTokenOptions {
  readonly cause?: unknown;
  /** Default `invalid`. */
  readonly hint?: TokenHint;
  /**
   * A sentence for the caller in place of the hint's: it helps the holder of the token and nobody
   * else.
   */
  readonly detail?: string;
}

/**
 * Thrown for an invalid token. The reason is only logged; the caller gets the detail or the
 * sentence of the hint.
 *
 * INVARIANT: the reason contains nothing of the token. Only the authenticator turns it into a 401
 * response.
 */
export class InvalidToken extends Error {
  readonly hint: TokenHint;
  readonly detail: string | undefined;

  constructor(reason: string, { cause, hint = "invalid", detail }: InvalidTokenOptions = {}) {
    super(reason, cause === undefined ? undefined : { cause });
    this.name = "InvalidToken";
    this.hint = hint;
    this.detail = detail;
  }
}

/**
 * Returns the error for a token that cannot be verified right now: 503, so that clients retry.
 *
 * `cause` is logged, never sent.
 */
export function unavailable(retryAfterSeconds: number, cause: unknown): AppError {
  return new AppError("service_unavailable", "The token cannot be checked at the moment.", {
    headers: { "Retry-After": String(retryAfterSeconds) },
    cause,
  });
}
