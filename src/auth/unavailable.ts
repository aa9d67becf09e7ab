import { AppError } from "../shared/errors.ts";

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
