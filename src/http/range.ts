/**
 * Range requests (RFC 9110 section 14) for one range of bytes.
 *
 * @module
 */
import { AppError } from "../shared/errors.ts";
import { parseRange } from "../shared/std.ts";

/** The first and the last byte. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface Ranged {
  readonly etag: string;
  /** Bytes of the whole. */
  readonly size: number;
}

/**
 * The part that a client asks for; undefined where it gets the whole: it asked for no part, for
 * several, in an unknown unit, or by `If-Range` for a part of what is no more.
 *
 * @throws {AppError} `range_not_satisfiable` where nothing of what it asks for is there.
 */
export function readRange(
  headers: ReadonlyMap<string, string>,
  { etag, size }: Ranged,
): ByteRange | undefined {
  const range = headers.get("range");
  const condition = headers.get("if-range");
  // A date never matches: none is sent.
  if (range === undefined || (condition !== undefined && condition !== etag)) return undefined;
  const found = parseRange(size, range);
  if (found === "unsatisfiable") {
    throw new AppError("range_not_satisfiable", "The file has none of these bytes", {
      headers: { "content-range": `bytes */${size}` },
    });
  }
  return found === undefined || found.length > 1 ? undefined : found[0];
}
