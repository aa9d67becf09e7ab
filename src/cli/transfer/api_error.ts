/**
 * Errors that the API responds with.
 *
 * @module
 */
import { isObject, textAt } from "./json.ts";

/** An error response of the API; `code` is one of its closed list. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly code: string;
  readonly requestId: string;

  constructor(route: string, { status, body }: { status: number; body: string }) {
    const problem = readProblem(body);
    super(`${route}: ${problem.message || `status ${status}`}`);
    this.status = status;
    this.code = problem.code;
    this.requestId = problem.requestId;
  }
}

/** A fault in it, its size, or a form that the server does not take. */
const REFUSALS: ReadonlySet<number> = new Set([400, 413, 415]);

/** Returns whether the API refused a request for its body, so that others may still be accepted. */
export function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && REFUSALS.has(error.status);
}

/** Codes of a server that has no such route, in the words of either interface. */
const MISSING: ReadonlySet<string> = new Set(["route_not_found", "invalid_request_url"]);

/** Returns whether a server has no such route: it is older, or its `/v1` is switched off. */
export function isMissingRoute(error: unknown): boolean {
  return error instanceof ApiError && MISSING.has(error.code);
}

function readProblem(body: string): { message: string; code: string; requestId: string } {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    value = undefined;
  }
  const problem = isObject(value) ? value : {};
  return {
    message: textAt(problem, "message"),
    code: textAt(problem, "code"),
    requestId: textAt(problem, "request_id"),
  };
}
