/**
 * Content negotiation: the media type, and the version of the wire format.
 *
 * @module
 */
import { AppError } from "../shared/errors.ts";
import { acceptsMediaTypes } from "../shared/std.ts";
import { PROBLEM_TYPE } from "./response_writer.ts";

const WIRE_VERSION = "2022-06-28";

/**
 * Returns which of these media types the client prefers, the first if it does not say. Throws
 * `not_acceptable` if it accepts none (RFC 9110 section 12.5.1), and `invalid_request` for another
 * version.
 */
export function negotiate(
  headers: ReadonlyMap<string, string>,
  types: readonly [string, ...string[]],
): string {
  const mediaType = preferred(headers.get("accept"), types);
  const version = headers.get("notion-version");
  if (version !== undefined && version !== WIRE_VERSION) {
    throw new AppError(
      "invalid_request",
      `Notion-Version must be ${WIRE_VERSION} or absent under /v2; /v1 speaks the other versions: use it as the base path`,
    );
  }
  return mediaType;
}

// From a semicolon to the next semicolon or comma outside quotes. It never backtracks: open quotes
// end with the text.
const PARAMETER = /;[^;,"]*(?:"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)[^;,"]*)*/g;
const WEIGHT = /^;[ \t]*q=/i;

/** Parameters other than the weight are ignored: each type has one form, in UTF-8. */
function preferred(
  accept: string | undefined,
  types: readonly [string, ...string[]],
): string {
  const [usual] = types;
  if (accept === undefined || accept === "*/*" || accept === usual) return usual;
  const ranges = accept.replace(PARAMETER, (text) => WEIGHT.test(text) ? text : "");
  const taken = acceptsMediaTypes(ranges, ...types, PROBLEM_TYPE);
  if (taken === undefined) {
    throw new AppError(
      "not_acceptable",
      `Accept must allow ${types.join(" or ")}`,
    );
  }
  return taken === PROBLEM_TYPE ? usual : taken;
}
