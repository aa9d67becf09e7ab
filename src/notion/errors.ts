/**
 * Errors in the vendor's words: codes that its SDKs know, and messages that clients match.
 *
 * @module
 */
import type { ErrorBody, ErrorFormat } from "../http/error_format.ts";
import { AppError, type ErrorCode, type ValidationIssue } from "../shared/errors.ts";

/** Codes of the vendor that the service's own list does not have. */
export type NotionCode = "missing_version" | "invalid_request_url" | "validation_error";

/** An error of the vendor's interface alone. */
export class NotionError extends AppError {
  constructor(
    readonly notionCode: NotionCode,
    message: string,
    readonly additionalData?: Readonly<Record<string, string | readonly string[]>>,
  ) {
    super(notionCode === "validation_error" ? notionCode : "invalid_request", message);
  }
}

/** Returns the error for a URL that the vendor does not have, in any version or in this one. */
export function invalidUrl(): NotionError {
  return new NotionError("invalid_request_url", "Invalid request URL.");
}

interface Wording {
  readonly status: number;
  readonly code: string;
  /** Default: the message of the service. */
  readonly message?: (error: AppError) => string;
}

const bad = (code: string, message?: Wording["message"]): Wording => ({
  status: 400,
  code,
  ...(message && { message }),
});

/** How each code of the service reads there. SDKs report a code that they do not know as no code. */
const WORDINGS: Readonly<Record<ErrorCode, Wording>> = {
  invalid_json: bad("invalid_json"),
  invalid_request: bad("invalid_request"),
  validation_error: bad("validation_error", validationMessage),
  unauthorized: { status: 401, code: "unauthorized", message: () => "API token is invalid." },
  insufficient_user_authentication: { status: 401, code: "unauthorized" },
  forbidden: { status: 403, code: "restricted_resource", message: forbiddenMessage },
  object_not_found: { status: 404, code: "object_not_found", message: notFoundMessage },
  route_not_found: bad("invalid_request_url", () => "Invalid request URL."),
  method_not_allowed: bad("invalid_request_url", () => "Invalid request URL."),
  not_acceptable: bad("invalid_request"),
  conflict_error: { status: 409, code: "conflict_error" },
  precondition_failed: { status: 412, code: "conflict_error" },
  payload_too_large: { status: 413, code: "validation_error" },
  uri_too_long: { status: 414, code: "validation_error" },
  unsupported_media_type: bad("invalid_request"),
  range_not_satisfiable: { status: 416, code: "invalid_request" },
  expectation_failed: { status: 417, code: "invalid_request" },
  idempotency_key_reused: { status: 422, code: "invalid_request" },
  rate_limited: { status: 429, code: "rate_limited" },
  headers_too_large: { status: 431, code: "invalid_request" },
  internal_server_error: { status: 500, code: "internal_server_error" },
  data_corrupted: { status: 500, code: "internal_server_error" },
  not_implemented: { status: 501, code: "invalid_request" },
  service_unavailable: { status: 503, code: "service_unavailable" },
  storage_full: { status: 503, code: "service_unavailable" },
  storage_read_only: { status: 503, code: "service_unavailable" },
  gateway_timeout: { status: 504, code: "gateway_timeout" },
};

/** The errors of all paths below `/v1/`. */
export const notionErrors: ErrorFormat = { prefix: "/v1/", toBody };

function toBody(error: AppError, requestId: string): ErrorBody {
  const { status, code, message = messageOf } = WORDINGS[error.code];
  const data = error instanceof NotionError ? error.additionalData : scopesOf(error);
  return {
    object: "error",
    status,
    code: error instanceof NotionError ? error.notionCode : code,
    message: error instanceof NotionError ? error.message : message(error),
    ...(data && { additional_data: data }),
    request_id: requestId,
  };
}

function messageOf({ message }: AppError): string {
  return message;
}

function forbiddenMessage({ message }: AppError): string {
  return `Insufficient permissions for this endpoint. ${message}.`;
}

function notFoundMessage({ message }: AppError): string {
  return /^Could not find (?:page|database|data_source|block) /.test(message)
    ? `${message} Make sure the relevant pages and databases are shared with your integration.`
    : message;
}

function scopesOf(
  { code, members }: AppError,
): Readonly<Record<string, readonly string[]>> | undefined {
  if (code !== "forbidden") return undefined;
  // Sound because `forbidden` always has both lists of scopes.
  const { missing_scopes, required_scopes } = members as Record<string, readonly string[]>;
  return { missing_scopes: missing_scopes ?? [], required_scopes: required_scopes ?? [] };
}

const GRAMMAR = /^(body|path|query) failed validation: /;

/**
 * Joins the issues as the vendor does: those of the input's form below a heading, one on each line,
 * those about properties in one line, without the marks around names.
 */
function validationMessage({ message, members }: AppError): string {
  // Sound because `validationError()` is the only one that sets them.
  const issues = members["errors"] as readonly ValidationIssue[] | undefined;
  if (issues === undefined) return plain(message);
  const [first] = issues;
  const root = GRAMMAR.exec(first?.detail ?? "")?.[1];
  if (root === undefined || !issues.every(({ detail }) => GRAMMAR.test(detail))) {
    return issues.map(({ detail }) => plain(detail)).join(" ");
  }
  if (issues.length === 1) return first?.detail ?? "";
  const lines = issues.map(({ detail }) => detail.replace(GRAMMAR, ""));
  return `${root} failed validation. Fix one:\n${lines.join("\n")}`;
}

const CLASH = /^Property .* of type (\w+) does not match filter (\w+)\.$/s;

function plain(detail: string): string {
  if (GRAMMAR.test(detail)) return detail;
  return detail.replaceAll("`", "").replace(
    CLASH,
    "The property type in the database does not match the property type of the filter provided: database property $1 does not match filter $2",
  );
}
