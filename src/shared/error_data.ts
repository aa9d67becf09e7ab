/**
 * Errors as plain data, so that they keep their meaning from one thread or process to another.
 *
 * @module
 */
import { AppError, type AppErrorOptions, type ErrorCode } from "./errors.ts";

/** An error that was thrown in another thread or process. */
export interface ErrorData {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  /** The code that node:sqlite adds to its message, or that of an `AppError`. */
  readonly code?: unknown;
  readonly errcode?: unknown;
  /** Members of an `AppError` alone. */
  readonly refusal?: Pick<AppErrorOptions, "members" | "headers" | "reason">;
  readonly cause?: ErrorData;
}

/** The data of an error. */
export function toErrorData(error: unknown): ErrorData {
  if (!(error instanceof Error)) return { name: "Error", message: String(error), stack: undefined };
  const { name, message, stack, cause } = error;
  return {
    name,
    message,
    stack,
    ...("code" in error && { code: error.code }),
    ...("errcode" in error && { errcode: error.errcode }),
    ...(error instanceof AppError && { refusal: refusalOf(error) }),
    ...(cause !== undefined && { cause: toErrorData(cause) }),
  };
}

function refusalOf({ members, headers, reason }: AppError): NonNullable<ErrorData["refusal"]> {
  return { members, headers, ...(reason !== undefined && { reason }) };
}

/** An error of this data. */
export function fromErrorData({ refusal, cause, stack, ...rest }: ErrorData): Error {
  const options = cause === undefined ? {} : { cause: fromErrorData(cause) };
  if (refusal !== undefined) {
    // Sound because `toThrown` took the code of an AppError.
    return new AppError(rest.code as ErrorCode, rest.message, { ...refusal, ...options });
  }
  const error = new Error(rest.message, options);
  if (stack !== undefined) error.stack = stack;
  return Object.assign(error, rest);
}
