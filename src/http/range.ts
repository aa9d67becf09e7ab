/**
 * Range requests (RFC 9110 section 14) for one range of bytes.
 *
 * @module
 */
import { AppError } from "../shared/errors.ts";
import { parseRange } from "../shared/std.ts";

/** The first and the last byte, both inclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface RangeTarget {
  readonly etag: string;
  /** Total size in bytes. */
  readonly size: number;
}

/**
 * Returns the requested byte range; undefined if the client gets the whole, because it requested no
 * range, several ranges, an unknown unit, or a version by `If-Range` that is not current.
 *
 * @throws {AppError} `range_not_satisfiable` if the range is beyond the end.
 */
export function readRange(
  headers: ReadonlyMap<string, string>,
  { etag, size }: RangeTarget,
): ByteRange | undefined {
  const range = headers.get("range");
  const condition = headers.get("if-range");
  // A date in `If-Range` never matches, because responses have no `Last-Modified`.
  if (range === undefined || (condition !== undefined && condition !== etag)) return undefined;
  const ranges = parseRange(size, range);
  if (ranges === "unsatisfiable") {
    throw new AppError("range_not_satisfiable", "The range is beyond the end of the file", {
      headers: { "content-range": `bytes */${size}` },
    });
  }
  return ranges === undefined || ranges.length > 1 ? undefined : ranges[0];
}
