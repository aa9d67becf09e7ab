/**
 * Limits how many characters of URLs a text of Markdown writes into rich text and blocks. Each use of a
 * definition writes its URL again, and so does each style within a link, so that a short text could
 * become a thousand times as long.
 *
 * @module
 */
import { LIMITS } from "../values/limits.ts";

/** Thrown if a text writes more URLs than the limit. */
export class UrlLimitError extends Error {}

let left = Infinity;

/** Runs `read`, which throws a {@linkcode UrlLimitError} if it counts more than the limit. */
export function withUrlLimit<T>(read: () => T): T {
  left = LIMITS.markdownUrls;
  try {
    return read();
  } finally {
    left = Infinity;
  }
}

/** Counts a URL that is about to be written. */
export function countUrl(url: string): void {
  left -= url.length;
  if (left < 0) throw new UrlLimitError();
}
