import { AppError } from "../shared/errors.ts";

/**
 * Why a token was refused: for the log alone, since a caller hears one sentence for every cause.
 *
 * INVARIANT: the reason is written here or by the operator, and holds nothing of the token.
 * The authenticator turns it into the answer; no other part writes a 401 for a bad token.
 */
export class InvalidToken extends Error {
  constructor(reason: string, cause?: unknown) {
    super(reason, cause === undefined ? undefined : { cause });
    this.name = "InvalidToken";
  }
}

/**
 * Refuses a token that nobody can judge right now: 503, so that a good client tries again later.
 *
 * `cause` is logged, never sent.
 */
export function unavailable(retryAfterSeconds: number, cause: unknown): AppError {
  return new AppError("service_unavailable", "The token cannot be checked at the moment.", {
    headers: { "Retry-After": String(retryAfterSeconds) },
    cause,
  });
}
