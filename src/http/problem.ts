/**
 * Error bodies: an RFC 9457 problem that is also an error object of the wire format.
 *
 * @module
 */
import { AppError, ERRORS } from "../shared/errors.ts";

/** Converts what was thrown; an unexpected error tells the client nothing. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  return new AppError("internal_server_error", "Unexpected error", { cause: thrown });
}

/** Returns the JSON of a problem (RFC 9457 section 3). */
export function problemJson(error: AppError, requestId: string): string {
  const { status, title } = ERRORS[error.code];
  return JSON.stringify({
    object: "error",
    type: `urn:recto:error:${error.code}`,
    title,
    status,
    detail: error.message,
    code: error.code,
    message: error.message,
    request_id: requestId,
    ...error.members,
  });
}
