/**
 * Refusals of writes that were not made.
 *
 * @module
 */
import { AppError } from "../../shared/errors.ts";

/** The error for a write that has waited too long. */
export function busy(): AppError {
  return refusal("Database is busy with a long change: try again");
}

/** The error for a write that comes, or waits, while the server stops. */
export function stopping(): AppError {
  return refusal("Server is stopping");
}

function refusal(detail: string): AppError {
  return new AppError("service_unavailable", detail, { headers: { "retry-after": "5" } });
}
