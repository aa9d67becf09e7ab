/**
 * Whether a client takes what this API speaks: JSON, and one version of the wire format.
 *
 * @module
 */
import { AppError } from "../errors.ts";
import { acceptsMediaTypes } from "../std.ts";
import { JSON_TYPE, PROBLEM_TYPE } from "./output.ts";

const WIRE_VERSION = "2022-06-28";

/** Refuses a client that takes no JSON (RFC 9110 section 12.5.1) or names another version. */
export function negotiate(headers: ReadonlyMap<string, string>): void {
  const accept = headers.get("accept");
  if (accept !== undefined && accept !== "*/*" && accept !== JSON_TYPE && !takesJson(accept)) {
    throw new AppError("not_acceptable", `Answers are ${JSON_TYPE}`);
  }
  const version = headers.get("notion-version");
  if (version !== undefined && version !== WIRE_VERSION) {
    throw new AppError("invalid_request", `Notion-Version must be ${WIRE_VERSION} or absent`);
  }
}

function takesJson(accept: string): boolean {
  return acceptsMediaTypes(accept, JSON_TYPE, PROBLEM_TYPE) !== undefined;
}
