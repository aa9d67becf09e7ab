/**
 * Errors of paths whose clients do not expect problems (RFC 9457).
 *
 * @module
 */
import type { AppError } from "../shared/errors.ts";

/** The body of an error response. */
export interface ErrorBody {
  /** Status of the response, too. */
  readonly status: number;
  readonly [member: string]: unknown;
}

/** How errors look on the paths with a prefix. */
export interface ErrorFormat {
  /** Begins and ends with a slash. */
  readonly prefix: string;
  readonly toBody: (error: AppError, requestId: string) => ErrorBody;
}

const PATH = /^https?:\/\/[^/]*([^?#]*)/;

/** Returns the format for a URL; undefined if its errors are problems. */
export function formatFor(
  formats: readonly ErrorFormat[] | undefined,
  url: string,
): ErrorFormat | undefined {
  const path = PATH.exec(url)?.[1] ?? "";
  return formats?.find(({ prefix }) => path.startsWith(prefix));
}
