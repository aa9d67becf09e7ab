/**
 * Errors of token verification.
 *
 * @module
 */
import { AppError } from "../shared/errors.ts";

/**
 * Thrown for an invalid token. The reason is only logged; the caller gets the same message for
 * each, unless there is a `detail`.
 *
 * INVARIANT: the reason contains nothing of the token. Only the authenticator turns it into a 401
 * response.
 */
export class InvalidToken extends Error {
  /** `detail`: a sentence for the caller, which helps the holder of the token and nobody else. */
  constructor(reason: string, cause?: unknown, readonly detail?: string) {
    super(reason, cause === undefined ? undefined : { cause });
    this.name = "InvalidToken";
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
