/**
 * Refusals as bodies: an RFC 9457 problem that is also the wire format's error object.
 *
 * @module
 */
import { AppError, ERRORS } from "../shared/errors.ts";

/** What was thrown as the refusal that a client is told of; an unknown error says nothing outside. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  return new AppError("internal_server_error", "Unexpected error", { cause: thrown });
}

/** The JSON of a refusal (RFC 9457 section 3). */
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
