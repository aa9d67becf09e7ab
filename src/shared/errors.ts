/**
 * The error model of the service: one class and a closed list of codes.
 *
 * @module
 */

/** Status and title of each code; clients match the code, never the message. */
export const ERRORS = {
  invalid_json: { status: 400, title: "Invalid JSON" },
  invalid_request: { status: 400, title: "Invalid request" },
  validation_error: { status: 400, title: "Validation failed" },
  unauthorized: { status: 401, title: "Unauthorized" },
  insufficient_user_authentication: { status: 401, title: "Insufficient user authentication" },
  forbidden: { status: 403, title: "Forbidden" },
  object_not_found: { status: 404, title: "Object not found" },
  route_not_found: { status: 404, title: "Route not found" },
  method_not_allowed: { status: 405, title: "Method not allowed" },
  not_acceptable: { status: 406, title: "Not acceptable" },
  conflict_error: { status: 409, title: "Conflict" },
  precondition_failed: { status: 412, title: "Precondition failed" },
  payload_too_large: { status: 413, title: "Payload too large" },
  uri_too_long: { status: 414, title: "URI too long" },
  unsupported_media_type: { status: 415, title: "Unsupported media type" },
  range_not_satisfiable: { status: 416, title: "Range not satisfiable" },
  expectation_failed: { status: 417, title: "Expectation failed" },
  idempotency_key_reused: { status: 422, title: "Idempotency key reused" },
  rate_limited: { status: 429, title: "Rate limited" },
  headers_too_large: { status: 431, title: "Request header fields too large" },
  internal_server_error: { status: 500, title: "Internal server error" },
  data_corrupted: { status: 500, title: "Stored data is damaged" },
  not_implemented: { status: 501, title: "Not implemented" },
  service_unavailable: { status: 503, title: "Service unavailable" },
  storage_full: { status: 503, title: "Storage is full" },
  storage_read_only: { status: 503, title: "Storage is read-only" },
  gateway_timeout: { status: 504, title: "Gateway timeout" },
} as const;

export type ErrorCode = keyof typeof ERRORS;

/** One thing that is wrong with the input: where (RFC 6901 pointer), and what was expected. */
export interface ValidationIssue {
  readonly pointer: string;
  readonly detail: string;
}

export interface AppErrorOptions {
  /** Members added to the problem body, by code: `required_scopes`, `errors`, … */
  readonly members?: Readonly<Record<string, unknown>>;
  /** Headers of the error response: `WWW-Authenticate`, `Allow`, `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The original error; logged if the service failed, never sent. */
  readonly cause?: unknown;
  /** A more precise reason than the client is told: a fixed sentence, logged and never sent. */
  readonly reason?: string;
}

/** An error that is sent to the client: a code, a message, and members that belong to the code. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly members: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly reason: string | undefined;

  constructor(code: ErrorCode, detail: string, options: AppErrorOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "AppError";
    this.code = code;
    this.members = options.members ?? {};
    this.headers = options.headers ?? {};
    this.reason = options.reason;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

/** How many issues one error response lists at most. */
export const MAX_ISSUES = 100;

/** Returns the error for these issues, listing at most 100; its message has one line for each. */
export function validationError(all: readonly ValidationIssue[]): AppError {
  const issues = all.slice(0, MAX_ISSUES);
  const detail = issues.map((issue) => issue.detail).join("\n");
  return new AppError("validation_error", detail, { members: { errors: issues } });
}

/**
 * Returns a validation error with its issues below a pointer; any other error as it is.
 */
export function belowPointer(pointer: string, error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== "validation_error") return error;
  // Sound because only `validationError()` sets this member of the code.
  const issues = error.members.errors as readonly ValidationIssue[] | undefined;
  if (issues === undefined) return error;
  return validationError(issues.map((one) => ({ ...one, pointer: pointer + one.pointer })));
}

export type ObjectKind =
  | "page"
  | "block"
  | "database"
  | "data_source"
  | "user"
  | "property"
  | "comment"
  | "discussion"
  | "file_upload"
  | "file";

/**
 * Returns the error for an ID that does not exist in the caller's workspace, whatever the reason.
 */
export function notFound(kind: ObjectKind, id: string): AppError {
  return new AppError("object_not_found", `Could not find ${kind} with ID: ${id}.`);
}
