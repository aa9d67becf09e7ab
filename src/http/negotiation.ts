/**
 * Whether a client takes what this API speaks: JSON, and one version of the wire format.
 *
 * @module
 */
import { AppError } from "../shared/errors.ts";
import { acceptsMediaTypes } from "../shared/std.ts";
import { JSON_TYPE, PROBLEM_TYPE } from "./response_writer.ts";

const WIRE_VERSION = "2022-06-28";

/**
 * The media type that a client would rather have: JSON or an alternative to it. Refuses one that takes
 * none of them (RFC 9110 section 12.5.1) or names another version.
 */
export function negotiate(
  headers: ReadonlyMap<string, string>,
  alternatives: readonly string[] = [],
): string {
  const mediaType = preferred(headers.get("accept"), alternatives);
  const version = headers.get("notion-version");
  if (version !== undefined && version !== WIRE_VERSION) {
    throw new AppError("invalid_request", `Notion-Version must be ${WIRE_VERSION} or absent`);
  }
  return mediaType;
}

// From each semicolon to the next one, or to a comma, that is in no quotes. It matches wherever it starts
// and goes back nowhere: open quotes end with the text.
const PARAMETER = /;[^;,"]*(?:"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)[^;,"]*)*/g;
const WEIGHT = /^;[ \t]*q=/i;

/** Parameters but the weight say nothing here: there is one form of each type, and it is in UTF-8. */
function preferred(accept: string | undefined, alternatives: readonly string[]): string {
  if (accept === undefined || accept === "*/*" || accept === JSON_TYPE) return JSON_TYPE;
  const ranges = accept.replace(PARAMETER, (text) => WEIGHT.test(text) ? text : "");
  const taken = acceptsMediaTypes(ranges, JSON_TYPE, ...alternatives, PROBLEM_TYPE);
  if (taken === undefined) {
    throw new AppError(
      "not_acceptable",
      `Answers are ${[JSON_TYPE, ...alternatives].join(" or ")}`,
    );
  }
  return taken === PROBLEM_TYPE ? JSON_TYPE : taken;
}
